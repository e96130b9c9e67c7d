package dev.penstock.fleetsim;

import java.util.List;

/** How evenly a fleet is loaded that nothing happens to: dense, sparse and fast. */
final class BalanceScenarios {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    static final double MAX_OVER_MEAN = 1.15;
    static final double WAITED_PCT = 0.05;

    /** Vectors are sent each 100 ms (half of that on average) and are 5 ms on their way. */
    private static final long USUAL_AGE = 55 * MILLI;

    private BalanceScenarios() {}

    static Scenario balance() {
        List<Policy> missing = List.of(Policy.RANDOM, Policy.P2C_RAW);
        return new Scenario(
                "balance",
                "100 replicas of 24 slots, 4 routers, mean service 2 s, state 100 ms old, load 0.83",
                full -> List.of(dense(4, (full ? 60 : 20) * SECOND, 0)),
                List.of(Figure.MAX_OVER_MEAN_INFLIGHT, Figure.WAITED_PCT),
                List.of(
                        Policy.RANDOM,
                        Policy.ROUND_ROBIN,
                        Policy.P2C_RAW,
                        Policy.TOPK_RAW,
                        Policy.ARGMIN,
                        Policy.OWN_ONLY,
                        Policy.ORACLE),
                List.of(
                        new Scenario.Limit(Figure.MAX_OVER_MEAN_INFLIGHT, MAX_OVER_MEAN, missing),
                        new Scenario.Limit(Figure.WAITED_PCT, WAITED_PCT, missing)));
    }

    static Scenario sparse() {
        return new Scenario(
                "sparse",
                "300 replicas of 4 slots, 5 routers, mean service 2 s, vectors each 100 ms, load 0.75",
                full -> List.of(scene(300, 4, 5, 2 * SECOND, 0.75, USUAL_AGE, (full ? 120 : 8) * SECOND, 0)),
                List.of(Figure.WAITED_PCT),
                List.of(Policy.P2C_RAW, Policy.TOPK_RAW, Policy.ARGMIN, Policy.OWN_ONLY, Policy.ORACLE),
                List.of(new Scenario.Limit(Figure.WAITED_PCT, 3.5, List.of(Policy.OWN_ONLY))));
    }

    static Scenario embeddings() {
        return new Scenario(
                "embeddings",
                "50 replicas of 8 slots, 4 routers, mean service 100 ms, vectors each 100 ms, load 0.8",
                full -> List.of(scene(50, 8, 4, 100 * MILLI, 0.8, USUAL_AGE, (full ? 60 : 8) * SECOND, 0)),
                List.of(Figure.WAITED_PCT),
                List.of(Policy.P2C_RAW, Policy.TOPK_RAW, Policy.ARGMIN, Policy.OWN_ONLY, Policy.ORACLE),
                List.of(new Scenario.Limit(Figure.WAITED_PCT, 2, List.of(Policy.P2C_RAW, Policy.TOPK_RAW))));
    }

    /** Balance's fleet under so many routers. */
    static Scene dense(int routers, long measuredNanos, long watchNanos) {
        return scene(100, 24, routers, 2 * SECOND, 0.83, 100 * MILLI, measuredNanos, watchNanos);
    }

    private static Scene scene(
            int replicas,
            int slots,
            int routers,
            long meanNanos,
            double load,
            long ageNanos,
            long measuredNanos,
            long watchNanos) {
        // Five mean service times: 99 % of the way from an empty fleet.
        var span = new Scene.Span(5 * meanNanos + SECOND / 2, measuredNanos, watchNanos);
        return Scene.ofSlots(replicas, slots, routers, new ServiceTimes.Exponential(meanNanos), load, ageNanos, span);
    }
}
