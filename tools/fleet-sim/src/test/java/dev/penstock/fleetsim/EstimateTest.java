package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimateTest {
    /** Mean 2, standard deviation 1, of 3: t(2) = 4.303, and 4.303 / sqrt(3) = 2.484. */
    @Test
    void halfWidthIsStudents() {
        Estimate estimate = Estimate.of(new double[] {1, 2, 3});

        assertThat(estimate.mean()).isEqualTo(2);
        assertThat(estimate.ci95()).isCloseTo(2.484, within(0.001));
    }

    @Test
    void aSingleSeedTellsNoSpread() {
        assertThat(Estimate.of(new double[] {5})).isEqualTo(new Estimate(5, 0));
    }
}
