package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FleetTest {
    private static final long SECOND = 1_000_000_000L;

    /** 20 replicas of 4 slots under 3 routers, one of them killed and restarted. */
    private static Scene scene(ServiceTimes service) {
        return new Scene(
                20, 4, 3, service, 0.8, 100_000_000L, 0, 0, SECOND, 3 * SECOND, new Scene.Kill(SECOND, 4 * SECOND));
    }

    private static final Scene SCENE = scene(new ServiceTimes.Exponential(0.2 * SECOND));

    @ParameterizedTest
    @EnumSource
    void sameSeedSameFigures(Policy policy) {
        Tally one = new Fleet(SCENE.lossy(0.1, 0.1), policy, 7).run();
        Tally two = new Fleet(SCENE.lossy(0.1, 0.1), policy, 7).run();

        assertThat(two).usingRecursiveComparison().isEqualTo(one);
    }

    @Test
    void anotherSeedIsAnotherRun() {
        Tally one = new Fleet(SCENE, Policy.PENSTOCK, 7).run();
        Tally two = new Fleet(SCENE, Policy.PENSTOCK, 8).run();

        assertThat(two.arrived).isNotEqualTo(one.arrived);
    }

    @Test
    void policiesMeetTheSameArrivals() {
        Tally one = new Fleet(SCENE, Policy.PENSTOCK, 7).run();
        Tally two = new Fleet(SCENE, Policy.RANDOM, 7).run();

        assertThat(two.arrived).isEqualTo(one.arrived);
    }

    @ParameterizedTest
    @EnumSource
    void noRequestIsLostOrCountedTwice(Policy policy) {
        Tally tally = new Fleet(SCENE.lossy(0.1, 0.1), policy, 3).run();

        assertThat(tally.arrived)
                .isPositive()
                .isEqualTo(tally.running + tally.queued + tally.completed + tally.aborted + tally.refused);
        assertThat(tally.aborted).isPositive();
        assertThat(tally.refused).isZero();
    }

    /** 320 requests a second for 8 s: 2,560 less the start, standard deviation 50. */
    @Test
    void lognormalServiceOffersTheSameLoad() {
        Tally tally = new Fleet(scene(new ServiceTimes.Lognormal(0.2 * SECOND, 1)), Policy.ORACLE, 3).run();

        assertThat(tally.arrived).isBetween(2_250L, 2_750L);
        // Little's law: 320 a second for 0.2 s each is 64 of the 80 slots; standard deviation 8.
        assertThat(tally.running + tally.queued).isBetween(32L, 96L);
    }

    /** Its own counts are the truth: but for ties, which are drawn otherwise, the production decision is the oracle's. */
    @Test
    void aSoleRouterDecidesAsTheOracleDoes() {
        Scene sole = new Scene(
                20,
                4,
                1,
                new ServiceTimes.Exponential(0.2 * SECOND),
                0.8,
                100_000_000L,
                0,
                0,
                SECOND,
                5 * SECOND,
                null);

        Tally penstock = new Fleet(sole, Policy.PENSTOCK, 3).run();
        Tally oracle = new Fleet(sole, Policy.ORACLE, 3).run();

        assertThat(penstock.arrived).isEqualTo(oracle.arrived);
        assertThat(penstock.figure(Figure.WAITED_PCT)).isCloseTo(oracle.figure(Figure.WAITED_PCT), within(1.0));
        assertThat(penstock.figure(Figure.MAX_OVER_MEAN_INFLIGHT))
                .isCloseTo(oracle.figure(Figure.MAX_OVER_MEAN_INFLIGHT), withinPercentage(3));
    }

    @Test
    void aSoleRouterThatIsAwayRefuses() {
        Scene sole = new Scene(
                20,
                4,
                1,
                new ServiceTimes.Exponential(0.2 * SECOND),
                0.8,
                100_000_000L,
                0,
                0,
                SECOND,
                SECOND,
                new Scene.Kill(SECOND, 4 * SECOND));

        Tally tally = new Fleet(sole, Policy.PENSTOCK, 3).run();

        assertThat(tally.refused).isBetween(250L, 600L);
        assertThat(tally.deadCountSeconds).isZero();
    }
}
