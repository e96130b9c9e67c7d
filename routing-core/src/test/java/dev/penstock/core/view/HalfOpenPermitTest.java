package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Verdict;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two event loops see the same half-open replica at the same moment. */
class HalfOpenPermitTest {
    private static final int ROUNDS = 5_000;
    private static final long NOW = 1_000_000_000_000L;
    private static final long SIX_SECONDS = 6_000_000_000L;

    private final Fleet fleet = Fleet.fresh(1, NOW);
    private final ReplicaCell cell = fleet.view.current().byNumber(1).cell();
    private final AtomicInteger arrived = new AtomicInteger();
    private volatile long now = NOW;

    @Test
    void a_permit_is_taken_by_one_of_them() throws Exception {
        assertThat(roundsNotTakenByOne(false)).isZero();
    }

    @Test
    void a_permit_that_told_nothing_for_five_seconds_is_taken_again_by_one_of_them() throws Exception {
        assertThat(roundsNotTakenByOne(true)).isZero();
    }

    private int roundsNotTakenByOne(boolean again) throws Exception {
        int wrong = 0;
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<boolean[]> others = other.submit(() -> {
                boolean[] taken = new boolean[ROUNDS];
                for (int round = 0; round < ROUNDS; round++) {
                    meet();
                    taken[round] = cell.enter(now);
                    meet();
                }
                return taken;
            });
            boolean[] taken = new boolean[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                // What was taken last is long ago: that must not pass for a permit that told nothing.
                now += SIX_SECONDS;
                permit(round);
                if (again) {
                    assertThat(cell.enter(now)).isTrue();
                    now += SIX_SECONDS;
                }
                meet();
                taken[round] = cell.enter(now);
                meet();
            }
            for (int round = 0; round < ROUNDS; round++) if (taken[round] == others.get()[round]) wrong++;
        }
        return wrong;
    }

    /** Goes on when both are here, within nanoseconds of each other where there are two processors. */
    private void meet() {
        int both = arrived.getAndIncrement() / 2 * 2 + 2;
        for (int i = 1; arrived.get() < both; i++) {
            if (i % 1_000 == 0) Thread.yield();
            else Thread.onSpinWait();
        }
    }

    /** The next one, for the success before. */
    private void permit(int round) {
        Verdict verdict = new Verdict.HalfOpen("refused", 1 + round / 900, "router-0", round % 900);
        Header header = new Header("health-0", 3, round, 1, now);
        fleet.view.apply(new HealthRecord(header, 1, "u", verdict, 60_000_000, HealthRecord.NO_PASS, 0), now);
    }
}
