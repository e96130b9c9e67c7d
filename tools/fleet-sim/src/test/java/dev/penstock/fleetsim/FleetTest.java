package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FleetTest {
    private static final long SECOND = 1_000_000_000L;

    /** 20 replicas of 4 slots under 3 routers, one of them killed and restarted. */
    private static Scene scene(ServiceTimes service) {
        return scene(3, service, new Scene.Span(SECOND, 3 * SECOND, 4 * SECOND)).with(new Scene.Kill(SECOND));
    }

    private static Scene scene(int routers, ServiceTimes service, Scene.Span span) {
        return Scene.ofSlots(20, 4, routers, service, 0.8, 100_000_000L, span);
    }

    private static final ServiceTimes SERVICE = new ServiceTimes.Exponential(0.2 * SECOND);
    private static final Scene SCENE = scene(SERVICE);

    /** Late, out of order, with losses and duplicates; and one router hears nothing of another for a second. */
    private static final Scene ROUGH = SCENE.with(new Network.Shape(
            new Link.Quality(50_000_000L, 150_000_000L, 0.1, 0.1),
            new Link.Quality(20_000_000L, 100_000_000L, 0.1, 0.1),
            List.of(new Network.Disturbance("router-1", "router-2", 2 * SECOND, 3 * SECOND, Link.Quality.cut()))));

    @ParameterizedTest
    @EnumSource
    void sameSeedSameFigures(Policy policy) {
        Tally one = new Fleet(ROUGH, policy, 7).run();
        Tally two = new Fleet(ROUGH, policy, 7).run();

        assertThat(two)
                .usingRecursiveComparison()
                .withEqualsForType(Double::equals, Double.class)
                .isEqualTo(one);
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
        Tally tally = new Fleet(ROUGH, policy, 3).run();

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
        Scene sole = scene(1, SERVICE, new Scene.Span(SECOND, 5 * SECOND, 0));

        Tally penstock = new Fleet(sole, Policy.PENSTOCK, 3).run();
        Tally oracle = new Fleet(sole, Policy.ORACLE, 3).run();

        assertThat(penstock.arrived).isEqualTo(oracle.arrived);
        assertThat(penstock.waitedPct()).isCloseTo(oracle.waitedPct(), within(1.0));
        assertThat(penstock.maxOverMean()).isCloseTo(oracle.maxOverMean(), withinPercentage(5));
    }

    @Test
    void aSoleRouterThatIsAwayRefuses() {
        Scene sole =
                scene(1, SERVICE, new Scene.Span(SECOND, SECOND, 4 * SECOND)).with(new Scene.Kill(SECOND));

        Tally tally = new Fleet(sole, Policy.PENSTOCK, 3).run();

        assertThat(tally.refused).isBetween(250L, 600L);
        assertThat(tally.deadCountSeconds).isZero();
    }
}
