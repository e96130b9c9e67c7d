package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ColdStartTest {
    private static final long SECOND = 1_000_000_000L;

    private final ColdStart cold = new ColdStart(10 * SECOND, 3, 30 * SECOND);

    @Test
    void isThreeTimesSlowerAtFirst() {
        long done = cold.doneNanos(10 * SECOND, 0.001 * SECOND);

        assertThat(done - 10 * SECOND).isCloseTo(3_000_000L, within(1_000L));
    }

    @Test
    void isTwiceSlowerHalfWay() {
        long done = cold.doneNanos(25 * SECOND, 0.001 * SECOND);

        assertThat(done - 25 * SECOND).isCloseTo(2_000_000L, within(1_000L));
    }

    /** The integral of 1 / slowness over the window: 30 s / 2 x ln 3 = 16.48 s; the rest is done at full speed. */
    @Test
    void whatOutlastsTheWindowEndsAtFullSpeed() {
        assertThat(cold.workedNanos(10 * SECOND, 40 * SECOND) / SECOND).isCloseTo(16.479, within(0.001));
        assertThat(cold.doneNanos(10 * SECOND, 20.0 * SECOND) / (double) SECOND).isCloseTo(43.521, within(0.001));
    }

    @Test
    void workedIsTheInverseOfDone() {
        for (long from = 10; from < 45; from += 7) {
            long done = cold.doneNanos(from * SECOND, 4.0 * SECOND);

            assertThat(cold.workedNanos(from * SECOND, done)).isCloseTo(4.0 * SECOND, within(10.0));
        }
    }

    @Test
    void withoutItWorkTakesItsTime() {
        assertThat(ColdStart.NONE.doneNanos(5, 7)).isEqualTo(12);
        assertThat(ColdStart.NONE.workedNanos(5, 12)).isEqualTo(7);
    }
}
