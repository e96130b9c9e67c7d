package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.Fleet;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArrivalSharesTest {
    private static final long PERIOD = 100 * Fleet.MS;
    private static final PoolId POOL = PoolId.localFor(Fleet.MODEL);
    private static final PoolId OTHER = PoolId.localFor("sim/embed");

    private final ArrivalShares shares = new ArrivalShares();
    private final Map<String, Long> arrived = new HashMap<>();
    private long now = Long.MAX_VALUE - 10 * PERIOD;

    @Test
    void routers_are_taken_to_be_alike_until_both_are_known() {
        assertThat(shares.ratioToOwn("router-1", POOL)).isEqualTo(1);

        shares.own("router-0");
        tell("router-0", 50);
        tell("router-1", 10);
        assertThat(shares.ratioToOwn("router-1", POOL))
                .as("one count says nothing")
                .isEqualTo(1);

        now += PERIOD;
        tell("router-1", 10);
        assertThat(shares.ratioToOwn("router-1", POOL)).as("own not known").isEqualTo(1);
        tell("router-0", 50);
        assertThat(shares.ratioToOwn("router-1", POOL)).isEqualTo(0.2, within(1e-9));
    }

    @Test
    void unequal_routers_are_told_apart_by_what_arrives_at_them() {
        shares.own("router-0");
        run(20, Map.of("router-0", 70, "router-1", 10, "router-2", 10, "router-3", 10));

        for (int i = 1; i <= 3; i++) assertThat(ratio("router-" + i)).isEqualTo(1 / 7.0, within(1e-9));

        shares.own("router-3");
        assertThat(ratio("router-0")).isEqualTo(7, within(1e-9));
        assertThat(ratio("router-1")).isEqualTo(1, within(1e-9));
    }

    @Test
    void a_pool_has_its_own_ratio() {
        shares.own("router-0");
        for (int i = 0; i < 3; i++) {
            now += PERIOD;
            shares.heard(vector("router-0", arrivals(POOL, 40 * i), arrivals(OTHER, 10 * i)), now);
            shares.heard(vector("router-1", arrivals(POOL, 10 * i), arrivals(OTHER, 40 * i)), now);
        }

        assertThat(shares.ratioToOwn("router-1", POOL)).isEqualTo(0.25, within(1e-9));
        assertThat(shares.ratioToOwn("router-1", OTHER)).isEqualTo(4, within(1e-9));
        assertThat(shares.ratioToOwn("router-1", PoolId.localFor("sim/unheard-of")))
                .isEqualTo(1);
    }

    @Test
    void a_change_is_followed_with_a_time_constant_of_two_seconds() {
        shares.own("router-0");
        run(20, Map.of("router-0", 10, "router-1", 10));

        run(20, Map.of("router-0", 10, "router-1", 20));
        // 2 s later: 1 - 1/e of the way from 1 to 2
        assertThat(ratio("router-1")).isEqualTo(2 - Math.exp(-1), within(0.001));

        run(200, Map.of("router-0", 10, "router-1", 20));
        assertThat(ratio("router-1")).isEqualTo(2, within(0.001));
    }

    @Test
    void a_late_vector_counts_by_the_time_since_the_one_before() {
        shares.own("router-0");
        run(20, Map.of("router-0", 10, "router-1", 10));

        now += 4 * PERIOD;
        tell("router-0", 50);
        tell("router-1", 40);
        now += PERIOD;
        tell("router-1", 20);

        // Seen through the smoothing: 40 in 0.4 s and 20 in 0.1 s against 50 in 0.4 s.
        double theirs = 1 + (1 - Math.exp(-0.05));
        double ours = 1 + 0.25 * (1 - Math.exp(-0.2));
        assertThat(ratio("router-1")).isEqualTo(theirs / ours, within(1e-6));
    }

    @Test
    void a_count_that_fell_is_a_restart_and_changes_no_rate() {
        shares.own("router-0");
        run(20, Map.of("router-0", 10, "router-1", 30));

        arrived.put("router-1", 0L);
        now += PERIOD;
        tell("router-1", 5);
        tell("router-0", 10);
        assertThat(ratio("router-1")).isEqualTo(3, within(1e-9));

        run(20, Map.of("router-0", 10, "router-1", 30));
        assertThat(ratio("router-1")).as("goes on from the new count").isEqualTo(3, within(1e-9));
    }

    @Test
    void its_own_restart_changes_no_rate_either() {
        shares.own("router-0");
        run(20, Map.of("router-0", 10, "router-1", 30));

        arrived.put("router-0", 0L);
        run(1, Map.of("router-0", 0, "router-1", 30));

        assertThat(ratio("router-1")).isEqualTo(3, within(1e-9));
    }

    @Test
    void ratios_are_a_tenth_to_ten() {
        shares.own("router-0");
        run(5, Map.of("router-0", 100, "router-1", 1, "router-2", 10_000));

        assertThat(ratio("router-1")).isEqualTo(0.1);
        assertThat(ratio("router-2")).isEqualTo(10);
    }

    @Test
    void where_less_than_one_a_second_arrives_routers_are_taken_to_be_alike() {
        shares.own("router-0");
        run(5, Map.of("router-0", 0, "router-1", 100, "router-2", 0));
        assertThat(ratio("router-1")).as("nothing at this one").isEqualTo(1);

        shares.own("router-1");
        assertThat(ratio("router-2")).as("nothing at that one").isEqualTo(1);
    }

    @Test
    void two_vectors_at_one_moment_do_no_harm() {
        shares.own("router-0");
        run(5, Map.of("router-0", 10, "router-1", 20));

        tell("router-1", 1_000);

        assertThat(ratio("router-1")).isEqualTo(2, within(1e-9));
    }

    @Test
    void a_peer_that_was_forgotten_is_unknown() {
        shares.own("router-0");
        run(5, Map.of("router-0", 10, "router-1", 20));

        shares.forget("router-1");
        assertThat(ratio("router-1")).isEqualTo(1);

        run(1, Map.of("router-0", 10, "router-1", 20));
        assertThat(ratio("router-1")).as("its first count again").isEqualTo(1);
        run(1, Map.of("router-0", 10, "router-1", 20));
        assertThat(ratio("router-1")).isEqualTo(2, within(1e-9));
    }

    private double ratio(String router) {
        return shares.ratioToOwn(router, POOL);
    }

    /** So many periods, in each of which so many arrive. */
    private void run(int periods, Map<String, Integer> perPeriod) {
        for (int i = 0; i < periods; i++) {
            now += PERIOD;
            perPeriod.forEach(this::tell);
        }
    }

    private void tell(String router, int more) {
        long count = arrived.merge(router, (long) more, Long::sum);
        shares.heard(vector(router, arrivals(POOL, count)), now);
    }

    private static InflightVector.PoolArrivals arrivals(PoolId pool, long count) {
        return new InflightVector.PoolArrivals(pool, count);
    }

    private static InflightVector vector(String router, InflightVector.PoolArrivals... arrivals) {
        Header header = new Header(router, 1, 1, Header.NO_EPOCH, 0);
        return new InflightVector(header, 1, true, new int[0], new int[0], List.of(arrivals));
    }
}
