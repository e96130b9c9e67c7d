package dev.penstock.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemandSeriesTest {
    private static final long SECOND = 1_000_000_000L;

    private final DemandSeries series = new DemandSeries(60 * SECOND);

    @Test
    void a_mean_weighs_values_by_their_time() {
        series.add(0, 0);
        series.add(2 * SECOND, 10);
        series.add(3 * SECOND, 40);

        assertThat(series.mean(60 * SECOND, 3 * SECOND)).isEqualTo((2 * 10 + 40) / 3.0);
        assertThat(series.mean(2 * SECOND, 3 * SECOND)).isEqualTo(25);
    }

    @Test
    void a_gap_is_left_out_and_is_not_zero() {
        series.add(0, 10);
        series.add(4 * SECOND, 10);
        series.gap(8 * SECOND);
        series.add(10 * SECOND, 40);

        assertThat(series.mean(60 * SECOND, 10 * SECOND)).isEqualTo((4 * 10 + 2 * 40) / 6.0);
        assertThat(series.seenNanos()).isEqualTo(6 * SECOND);
    }

    @Test
    void after_a_long_gap_seeing_starts_over() {
        series.add(0, 10);
        series.add(4 * SECOND, 10);
        series.gap(70 * SECOND);

        assertThat(series.seenNanos()).isZero();
        assertThat(series.mean(60 * SECOND, 70 * SECOND)).isEqualTo(10);
    }
}
