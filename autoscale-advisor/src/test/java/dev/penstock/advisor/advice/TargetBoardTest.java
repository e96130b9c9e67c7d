package dev.penstock.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.advisor.Served;
import dev.penstock.core.scale.AdviceTimes;
import dev.penstock.core.scale.ServingRule;
import dev.penstock.model.Header;
import dev.penstock.model.PoolTarget;
import dev.penstock.testkit.ManualClock;
import dev.penstock.wire.PoolTargetCodec;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TargetBoardTest {
    private static final long SECOND = 1_000_000_000L;

    private final ManualClock clock = new ManualClock();
    private final TargetBoard board = new TargetBoard();

    @Test
    void what_was_there_before_is_gone_on_from_and_never_served() throws Exception {
        read("advisor-0", 5, 0, 3);

        assertThat(board.posted(Served.POOL).target().desired()).isEqualTo(3);
        assertThat(answer()).isInstanceOf(ServingRule.Unavailable.class);
        assertThat(board.youngestAgeNanos(clock.getAsLong())).isEqualTo(-1);

        board.caughtUp();
        read("advisor-0", 5, SECOND, 4);
        assertThat(answer()).isInstanceOf(ServingRule.Number.class);
    }

    @Test
    void a_displaced_owner_is_not_heard() throws Exception {
        board.caughtUp();
        assertThat(read("advisor-1", 9, 0, 4)).isTrue();
        assertThat(read("advisor-0", 5, 0, 3)).isFalse();
        assertThat(board.posted(Served.POOL).target().desired()).isEqualTo(4);
    }

    @Test
    void a_record_that_came_late_is_old() throws Exception {
        board.caughtUp();
        read("advisor-0", 5, 0, 3);
        clock.advance(Duration.ofSeconds(20));
        read("advisor-0", 5, SECOND, 3);

        long sent = board.posted(Served.POOL).sentNanos();
        assertThat((clock.getAsLong() - sent) / 1e9).isBetween(18.9, 19.0);
    }

    @Test
    void a_removed_pool_is_forgotten() throws Exception {
        read("advisor-0", 5, 0, 3);
        board.record(Served.POOL.toString(), null, clock.getAsLong());
        assertThat(board.pools()).isEmpty();
    }

    private boolean read(String producer, long epoch, long sendNanos, int desired) throws Exception {
        PoolTarget target = new PoolTarget(
                new Header(producer, 1, 1, epoch, sendNanos),
                Served.POOL,
                desired,
                desired,
                0,
                Map.of(),
                true,
                "",
                0,
                16);
        return board.record(Served.POOL.toString(), PoolTargetCodec.encode(target), clock.getAsLong());
    }

    private ServingRule.Answer answer() {
        return new Recommendations(board, new PoolReplicas(), Set::of, AdviceTimes.DEFAULT, clock).answer(Served.POOL);
    }
}
