package dev.penstock.relaybench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TrendTest {
    @Test
    void growth_is_from_the_first_sample_to_the_last_in_percent_of_the_median() {
        assertThat(Trend.growthPercent(new double[] {90, 95, 100, 105, 110})).isCloseTo(20, within(1e-9));
    }

    @Test
    void one_sample_out_of_line_moves_nothing() {
        assertThat(Trend.growthPercent(new double[] {100, 100, 100, 900, 100, 100, 100}))
                .isZero();
    }

    @Test
    void a_step_is_no_steady_growth_and_a_slope_is() {
        assertThat(Trend.steadyGrowthPercent(new double[] {100, 100, 100, 100, 100, 140, 140, 140, 140, 140}))
                .isZero();
        assertThat(Trend.steadyGrowthPercent(new double[] {100, 101, 102, 103, 104, 105, 106, 107, 108, 109}))
                .isBetween(7.0, 9.0);
    }

    @Test
    void nothing_stays_nothing() {
        assertThat(Trend.growthPercent(new double[] {0, 0, 0})).isZero();
    }
}
