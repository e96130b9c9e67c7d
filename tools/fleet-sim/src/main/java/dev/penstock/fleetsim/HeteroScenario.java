package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;

/**
 * As many fast replicas as slow ones, twice as fast, of two kinds: each request takes half the time (the same half, so that
 * with equal in-flight they are equally utilised), or twice as many are served at a time (twice the half: then with in-flight
 * in proportion to speed). Which it is must be learned, and can be from in-flight that varies only: while warming up, the load
 * swings once between 0.2 and 0.8. At half time prompts become three times as long.
 *
 * <p>Without hardware labels, too. In another scene four replicas are slowed down or made faster, twofold.
 *
 * <p>Equal counts are round robin's: every replica is sent as many. Equal in-flight would pass where requests take half the
 * time and be 15 points off in the other kind.
 */
final class HeteroScenario {
    private static final long SECOND = 1_000_000_000L;
    private static final double SLOW_PER_SECOND = 1_000;
    private static final double FAST_PER_SECOND = 2_000;
    private static final double HALF = 12;
    private static final double TWICE_AT_A_TIME = 2 * HALF;
    private static final long SWING_NANOS = 120 * SECOND;
    private static final long SETTLE_NANOS = 10 * SECOND;
    private static final long STEP_AFTER_NANOS = 5 * SECOND;
    private static final long NEVER = Long.MAX_VALUE;

    private HeteroScenario() {}

    static Scenario scenario() {
        return new Scenario(
                "hetero",
                "20 slow and 20 twice as fast replicas (small form: 10 and 10), faster each or more at a time,"
                    + " labelled or not; loads 0.3, 0.6, 0.85; prompts three times as long at half time; twofold steps"
                    + " of 4 replicas; 4 routers (2), state 100 ms old; the worst",
                full -> new Form(full).scenes(),
                List.of(
                        Figure.CAPACITY_ERROR_MEDIAN_PCT,
                        Figure.UTILISATION_GAP_POINTS,
                        Figure.STARVED_REPLICAS,
                        Figure.CONVERGE_SECONDS),
                List.of(Policy.NAIVE_THROUGHPUT, Policy.ROUND_ROBIN),
                List.of(
                        new Scenario.Limit(Figure.CAPACITY_ERROR_MEDIAN_PCT, 5, List.of()),
                        new Scenario.Limit(Figure.UTILISATION_GAP_POINTS, 5, List.of(Policy.ROUND_ROBIN)),
                        new Scenario.Limit(Figure.STARVED_REPLICAS, 0, List.of(Policy.NAIVE_THROUGHPUT)),
                        new Scenario.Limit(Figure.CONVERGE_SECONDS, 60, List.of())));
    }

    private record Form(boolean full) {
        List<Scene> scenes() {
            List<Scene> scenes = new ArrayList<>();
            if (full) {
                for (double load : new double[] {0.3, 0.6, 0.85}) {
                    scenes.add(mixed(load, HALF, true));
                    scenes.add(mixed(load, TWICE_AT_A_TIME, true));
                    scenes.add(mixed(load, HALF, false));
                    scenes.add(mixed(load, TWICE_AT_A_TIME, false));
                    scenes.add(stepping(load));
                }
            } else {
                scenes.add(mixed(0.3, TWICE_AT_A_TIME, true));
                scenes.add(mixed(0.6, TWICE_AT_A_TIME, false));
                scenes.add(stepping(0.3));
            }
            return scenes;
        }

        private Scene mixed(double load, double fastHalf, boolean labelled) {
            var slow = EngineModel.Sharing.of(labelled ? "slow" : "", SLOW_PER_SECOND, HALF);
            var fast = EngineModel.Sharing.of(labelled ? "fast" : "", FAST_PER_SECOND, fastHalf);
            Scene.Span span = span();
            long halfTime = span.warmNanos() + span.measuredNanos() / 2;
            return scene(load, new EngineModel.TwoSpeeds(slow, fast, 0, NEVER), span, halfTime);
        }

        private Scene stepping(double load) {
            var slow = EngineModel.Sharing.of("slow", SLOW_PER_SECOND, HALF);
            var fast = EngineModel.Sharing.of("fast", FAST_PER_SECOND, HALF);
            Scene.Span span = span();
            long step = span.warmNanos() + STEP_AFTER_NANOS;
            return scene(load, new EngineModel.TwoSpeeds(slow, fast, 2, step), span, NEVER);
        }

        private Scene.Span span() {
            return new Scene.Span(SWING_NANOS + SETTLE_NANOS, (full ? 240 : 50) * SECOND, 0);
        }

        private Scene scene(double load, EngineModel.TwoSpeeds engines, Scene.Span span, long longerPromptsNanos) {
            int replicas = full ? 40 : 20;
            double all = replicas / 2 * (SLOW_PER_SECOND + FAST_PER_SECOND);
            var swing = new Workload.Shifting.Swing(0.2 * all, 0.8 * all, SWING_NANOS);
            return new Scene(
                    replicas,
                    engines,
                    full ? 4 : 2,
                    new Workload.Shifting(load * all, swing, longerPromptsNanos),
                    Scene.aged(100_000_000L),
                    span,
                    null,
                    null,
                    null,
                    List.of());
        }
    }
}
