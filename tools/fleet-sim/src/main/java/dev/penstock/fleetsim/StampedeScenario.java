package dev.penstock.fleetsim;

import java.util.List;

/**
 * New replicas among established ones, which have 20 of their 24 slots taken. The new ones are cold: three times slower at
 * first, as warm as the others after 30 s.
 */
final class StampedeScenario {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final int SLOTS = 24;
    private static final double LOAD = 20.0 / SLOTS;
    private static final double COLD_FACTOR = 3;
    private static final long COLD_NANOS = 30 * SECOND;

    private StampedeScenario() {}

    static Scenario scenario() {
        return new Scenario(
                "stampede",
                "1 and 10 new replicas among 100, 200 among 200 (small form: 1 and 3 among 30, 20 among 20); 20 of 24"
                        + " slots taken, 4 routers, state 100 ms old, new ones 3x slower at first; the worst",
                StampedeScenario::scenes,
                List.of(Figure.PEAK_QUEUE_NEW, Figure.SECONDS_TO_80PCT_SHARE, Figure.ESTABLISHED_GROWTH_PCT),
                List.of(Policy.ARGMIN, Policy.TOPK_RAW, Policy.RAMP_300S, Policy.ORACLE),
                List.of(
                        new Scenario.Limit(Figure.PEAK_QUEUE_NEW, 1, List.of(Policy.ARGMIN, Policy.TOPK_RAW)),
                        new Scenario.Limit(Figure.SECONDS_TO_80PCT_SHARE, 30, List.of(Policy.RAMP_300S)),
                        new Scenario.Limit(Figure.ESTABLISHED_GROWTH_PCT, 10, List.of())));
    }

    /** Long enough for the slowest ramp, but for the largest fleet. */
    private static List<Scene> scenes(boolean full) {
        return full
                ? List.of(scene(100, 1, 280 * SECOND), scene(100, 10, 280 * SECOND), scene(200, 200, 60 * SECOND))
                : List.of(scene(30, 1, 36 * SECOND), scene(30, 3, 36 * SECOND), scene(20, 20, 36 * SECOND));
    }

    private static Scene scene(int established, int joining, long watchedNanos) {
        long mean = 2 * SECOND;
        long before = 4 * SECOND;
        var span = new Scene.Span(4 * mean, before + watchedNanos, 0);
        return Scene.ofSlots(established, SLOTS, 4, new ServiceTimes.Exponential(mean), LOAD, 100 * MILLI, span)
                .with(new Scene.Joining(joining, span.warmNanos() + before, COLD_FACTOR, COLD_NANOS));
    }
}
