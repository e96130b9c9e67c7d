package dev.penstock.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WorkMeterTest {
    private static final long MILLI = 1_000_000L;

    private final WorkMeter meter = new WorkMeter();

    @Test
    void aTickIsWhatWasCountedAndWhatWasInFlightMeanwhile() {
        meter.sample(WorkMeter.units(1_000, 500), 4, 0);
        meter.sample(WorkMeter.units(1_000, 550), 8, 250 * MILLI);
        meter.sample(WorkMeter.units(2_000, 600), 8, 1_000 * MILLI);

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isCloseTo(200, within(1e-9));
        assertThat(meter.meanInflight()).isCloseTo(7, within(1e-9));
        assertThat(meter.dtNanos()).isEqualTo(1_000 * MILLI);
    }

    @Test
    void ticksFollowWithoutGap() {
        meter.sample(0, 2, 0);
        meter.sample(10, 2, 100 * MILLI);
        meter.tick();
        meter.sample(30, 2, 300 * MILLI);

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(20);
        assertThat(meter.dtNanos()).isEqualTo(200 * MILLI);
    }

    @Test
    void oneScrapeIsNoTick() {
        assertThat(meter.tick()).isFalse();

        meter.sample(100, 1, 0);

        assertThat(meter.tick()).isFalse();
    }

    @Test
    void countersThatFellSpoilTheTickAndNoOther() {
        meter.sample(100, 1, 0);
        meter.sample(5, 1, 1_000 * MILLI);
        assertThat(meter.tick()).isFalse();

        meter.sample(25, 1, 2_000 * MILLI);

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(20);
    }

    @Test
    void nonsenseSpoilsTheTick() {
        meter.sample(100, 1, 0);
        meter.sample(Double.NaN, 1, 100 * MILLI);
        meter.sample(110, 1, 200 * MILLI);

        assertThat(meter.tick()).isFalse();
    }
}
