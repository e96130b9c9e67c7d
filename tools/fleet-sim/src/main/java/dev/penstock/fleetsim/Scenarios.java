package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that can be asked for. */
final class Scenarios {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** Vectors are sent each 100 ms (half of that on average) and are 5 ms on their way. */
    private static final long USUAL_AGE = 55 * MILLI;

    /**
     * Peers' counts are gone 3 s after their last record, at the reader's next look (each 100 ms), and that record was 50 ms
     * on its way; 50 ms to spare.
     */
    private static final double DEAD_COUNT_LIMIT = 3.2;

    static final List<Scenario> ALL = List.of(balance(), sparse(), embeddings(), routers());

    private Scenarios() {}

    static @Nullable Scenario named(String name) {
        for (Scenario each : ALL) if (each.name().equals(name)) return each;
        return null;
    }

    private static Scenario balance() {
        return new Scenario(
                "balance",
                "100 replicas of 24 slots, 4 routers, mean service 2 s, state 100 ms old, load 0.83",
                List.of(dense(4, null)),
                20 * SECOND,
                60 * SECOND,
                List.of(Figure.MAX_OVER_MEAN_INFLIGHT, Figure.WAITED_PCT),
                List.of(Policy.RANDOM, Policy.ROUND_ROBIN, Policy.P2C_RAW, Policy.OWN_ONLY, Policy.ORACLE),
                List.of(
                        new Scenario.Limit(Figure.MAX_OVER_MEAN_INFLIGHT, 1.15, List.of(Policy.RANDOM, Policy.P2C_RAW)),
                        new Scenario.Limit(Figure.WAITED_PCT, 0.05, List.of(Policy.RANDOM, Policy.P2C_RAW))));
    }

    private static Scenario sparse() {
        return new Scenario(
                "sparse",
                "300 replicas of 4 slots, 5 routers, mean service 2 s, vectors each 100 ms, load 0.75",
                List.of(scene(300, 4, 5, 2 * SECOND, 0.75, USUAL_AGE, null)),
                8 * SECOND,
                120 * SECOND,
                List.of(Figure.WAITED_PCT),
                List.of(Policy.P2C_RAW, Policy.OWN_ONLY, Policy.ORACLE),
                List.of(new Scenario.Limit(Figure.WAITED_PCT, 3.5, List.of(Policy.OWN_ONLY))));
    }

    private static Scenario embeddings() {
        return new Scenario(
                "embeddings",
                "50 replicas of 8 slots, 4 routers, mean service 100 ms, vectors each 100 ms, load 0.8",
                List.of(scene(50, 8, 4, 100 * MILLI, 0.8, USUAL_AGE, null)),
                8 * SECOND,
                60 * SECOND,
                List.of(Figure.WAITED_PCT),
                List.of(Policy.P2C_RAW, Policy.OWN_ONLY, Policy.ORACLE),
                List.of(new Scenario.Limit(Figure.WAITED_PCT, 2, List.of(Policy.P2C_RAW))));
    }

    /** The restart comes after the dead one's counts are gone; in one scene earlier, while they fade. */
    private static Scenario routers() {
        List<Scene> scenes = new ArrayList<>();
        for (int routers : new int[] {1, 2, 4, 8}) scenes.add(dense(routers, new Scene.Kill(4 * SECOND, 5 * SECOND)));
        scenes.add(dense(4, new Scene.Kill(SECOND, 4 * SECOND)));
        return new Scenario(
                "routers",
                "balance with 1, 2, 4, 8 routers, of which one is killed and back after 4 s (of 4 also after 1 s); the"
                        + " worst",
                scenes,
                3 * SECOND,
                30 * SECOND,
                List.of(Figure.DEAD_COUNT_SECONDS, Figure.MAX_OVER_MEAN_INFLIGHT, Figure.WAITED_PCT),
                List.of(),
                List.of(new Scenario.Limit(Figure.DEAD_COUNT_SECONDS, DEAD_COUNT_LIMIT, List.of())));
    }

    private static Scene dense(int routers, Scene.@Nullable Kill kill) {
        return scene(100, 24, routers, 2 * SECOND, 0.83, 100 * MILLI, kill);
    }

    private static Scene scene(
            int replicas,
            int slots,
            int routers,
            long meanNanos,
            double load,
            long ageNanos,
            Scene.@Nullable Kill kill) {
        // Five mean service times: 99 % of the way from an empty fleet.
        long warmNanos = 5 * meanNanos + SECOND / 2;
        return new Scene(
                replicas,
                slots,
                routers,
                new ServiceTimes.Exponential(meanNanos),
                load,
                ageNanos,
                0,
                0,
                warmNanos,
                SECOND,
                kill);
    }
}
