package dev.penstock.report;

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

    /** Of nine, second to eighth: P(Binomial(9, 1/2) <= 1) = 10 / 512 = 1.95 %. */
    @Test
    void aMedianShrugsAtOneBadRound() {
        assertThat(Estimate.ofMedian(new double[] {900, 3, 4, 5, 6, 7, 8, 9, 2}))
                .isEqualTo(new Estimate(6, 3));
        assertThat(Estimate.ofMedian(new double[] {3, 1})).isEqualTo(new Estimate(2, 1));
    }
}
