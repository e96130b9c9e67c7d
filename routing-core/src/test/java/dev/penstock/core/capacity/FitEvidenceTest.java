package dev.penstock.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.testkit.Seeds;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class FitEvidenceTest {
    private static final double HALF = 24;
    private static final double PRIOR = 12;
    private static final double SPREAD = 0.1;
    private static final double ANY = Double.POSITIVE_INFINITY;

    private final RandomGenerator random = Seeds.of(3).random();
    private final FitEvidence evidence = new FitEvidence();

    @Test
    void nothing_seen_leaves_the_prior() {
        assertThat(evidence.half(PRIOR, SPREAD, ANY)).isEqualTo(PRIOR);
    }

    @Test
    void a_load_that_does_not_vary_leaves_the_prior() {
        see(600, 0, second -> 10);

        assertThat(evidence.half(PRIOR, SPREAD, ANY)).isEqualTo(PRIOR);
    }

    /** F stays below 10, though the ratio of the sums is anything from below 0 to above the truth. */
    @Test
    void noise_over_noise_leaves_the_prior() {
        see(60, 0.2, second -> 10 + random.nextGaussian());

        assertThat(evidence.half(PRIOR, SPREAD, ANY)).isEqualTo(PRIOR);
    }

    @Test
    void without_noise_a_swing_tells_the_half_itself() {
        see(120, 0, FitEvidenceTest::swing);

        assertThat(evidence.half(PRIOR, SPREAD, ANY)).isCloseTo(HALF, within(0.2));
    }

    @Test
    void evidence_that_weighs_more_moves_the_prior_farther() {
        see(90, 0.2, FitEvidenceTest::swing);
        double soon = evidence.half(20, SPREAD, ANY);

        see(1_800, 0.2, FitEvidenceTest::swing);
        double late = evidence.half(20, SPREAD, ANY);

        assertThat(soon).isBetween(20.0, 22.5);
        assertThat(late).isCloseTo(HALF, within(1.5)).isGreaterThan(soon);
    }

    @Test
    void the_wider_the_spread_the_sooner_it_gives_way() {
        see(240, 0.2, FitEvidenceTest::swing);

        double near = evidence.half(20, SPREAD, ANY) - 20;
        double wide = evidence.half(20, 10 * SPREAD, ANY) - 20;

        assertThat(Math.abs(wide)).isGreaterThan(Math.abs(near));
    }

    @Test
    void nobody_is_farther_than_allowed() {
        see(240, 0, FitEvidenceTest::swing);

        assertThat(evidence.half(4, SPREAD, 4)).isEqualTo(16);
        assertThat(evidence.half(200, SPREAD, 4)).isEqualTo(50);
    }

    /** Each speed has its own mean: that one is twice the other is no sign of where either saturates. */
    @Test
    void spells_at_two_speeds_tell_of_one_half() {
        see(120, 0, FitEvidenceTest::swing, 1_000);
        see(120, 0, FitEvidenceTest::swing, 2_000);

        assertThat(evidence.half(PRIOR, SPREAD, ANY)).isCloseTo(HALF, within(0.2));
    }

    private static double swing(double second) {
        return 3 + 37 * (1 - Math.cos(second * Math.PI / 30)) / 2;
    }

    private void see(int seconds, double noise, DoubleUnaryOperator inflight) {
        see(seconds, noise, inflight, 1_000);
    }

    private void see(int seconds, double noise, DoubleUnaryOperator inflight, double perSecond) {
        var fit = new SaturationFit();
        for (int second = 0; second < seconds; second++) {
            double its = inflight.applyAsDouble(second);
            double work = perSecond * its / (its + HALF) * (1 + noise * random.nextGaussian());
            fit.add(work, its, 1);
        }
        evidence.add(fit, perSecond);
    }
}
