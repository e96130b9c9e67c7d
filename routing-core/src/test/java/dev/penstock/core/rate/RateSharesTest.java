package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateSharesTest {
    private static final long SECOND = 1_000_000_000L;
    // wraps within the tests
    private static final long START = Long.MAX_VALUE - SECOND;

    private final RateShares shares = new RateShares();
    private long sequence;

    @Test
    void the_first_routers_get_the_whole_limit_at_once() {
        shares.live(List.of("b", "a", "c"), START);

        assertThat(shares.plan(1_000, START)).isEqualTo(Map.of("a", 334L, "b", 333L, "c", 333L));
    }

    @Test
    void a_newcomer_gets_its_share_two_seconds_after_the_others_were_lowered() {
        publish(1_000, START, "a", "b");

        assertThat(publish(1_000, START + SECOND, "a", "b", "c")).isEqualTo(Map.of("a", 334L, "b", 333L, "c", 0L));
        assertThat(publish(1_000, START + 3 * SECOND - 1, "a", "b", "c"))
                .isEqualTo(Map.of("a", 334L, "b", 333L, "c", 0L));
        assertThat(publish(1_000, START + 3 * SECOND, "a", "b", "c"))
                .isEqualTo(Map.of("a", 334L, "b", 333L, "c", 333L));
    }

    @Test
    void a_limit_that_rises_is_shared_at_once() {
        publish(1_000, START, "a", "b");

        assertThat(publish(2_000, START + 1, "a", "b")).isEqualTo(Map.of("a", 1_000L, "b", 1_000L));
    }

    @Test
    void a_limit_that_falls_is_obeyed_at_once() {
        publish(1_000, START, "a", "b");

        assertThat(publish(0, START + 1, "a", "b")).isEqualTo(Map.of("a", 0L, "b", 0L));
    }

    @Test
    void a_limit_that_falls_and_rises_again_costs_nothing() {
        publish(1_000, START, "a", "b");
        publish(500, START + 1, "a", "b");

        assertThat(publish(1_000, START + 2, "a", "b")).isEqualTo(Map.of("a", 500L, "b", 500L));
    }

    @Test
    void nothing_is_raised_while_routers_may_hold_more_than_the_limit() {
        publish(1_000, START, "a", "b");
        publish(200, START + 1, "a", "b");

        assertThat(publish(600, START + 2, "a", "b")).isEqualTo(Map.of("a", 100L, "b", 100L));
        assertThat(publish(600, START + 1 + 2 * SECOND, "a", "b")).isEqualTo(Map.of("a", 300L, "b", 300L));
    }

    @Test
    void a_router_that_dies_frees_its_share_after_five_seconds() {
        publish(1_000, START, "a", "b");

        assertThat(publish(1_000, START + 3 * SECOND, "a")).isEqualTo(Map.of("a", 500L, "b", 500L));
        assertThat(publish(1_000, START + 3 * SECOND + 1, "a")).isEqualTo(Map.of("a", 500L));
        assertThat(publish(1_000, START + 5 * SECOND, "a")).isEqualTo(Map.of("a", 500L));
        assertThat(publish(1_000, START + 5 * SECOND + 1, "a")).isEqualTo(Map.of("a", 1_000L));
    }

    @Test
    void a_record_that_may_have_been_stored_counts_until_a_later_one_was_read() {
        shares.live(List.of("a"), START);
        shares.sending(Map.of("a", 1_000L), 1);

        shares.live(List.of("a", "b"), START + 10 * SECOND);
        assertThat(shares.plan(1_000, START + 10 * SECOND)).isEqualTo(Map.of("a", 500L, "b", 0L));

        shares.heardOwn(Map.of("a", 500L, "b", 0L), 2, START + 11 * SECOND);
        assertThat(shares.held(START + 11 * SECOND)).isEqualTo(Map.of("a", 500L, "b", 0L));
    }

    @Test
    void a_new_owner_raises_nothing_for_two_seconds() {
        shares.heardOther(Map.of("a", 100L), START);
        shares.live(List.of("a", "b"), START);

        assertThat(shares.plan(1_000, START + 2 * SECOND - 1)).isEqualTo(Map.of("a", 100L, "b", 0L));
        assertThat(shares.plan(1_000, START + 2 * SECOND)).isEqualTo(Map.of("a", 500L, "b", 500L));
    }

    private Map<String, Long> publish(long limit, long nowNanos, String... routers) {
        shares.live(List.of(routers), nowNanos);
        Map<String, Long> next = shares.plan(limit, nowNanos);
        shares.sending(next, ++sequence);
        shares.heardOwn(next, sequence, nowNanos);
        return next;
    }
}
