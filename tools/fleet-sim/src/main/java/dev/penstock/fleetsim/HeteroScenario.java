package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;

/**
 * A fleet of slow replicas and as many twice as fast ones, of two kinds: where the fast ones do everything in half the time
 * (the same half: at equal in-flight they are equally utilised), and where they do twice as much at a time (twice the half:
 * at in-flight in proportion to speed they are).
 */
final class HeteroScenario {
    private static final long SECOND = 1_000_000_000L;
    private static final double SLOW_PER_SECOND = 1_000;
    private static final double HALF = 12;
    private static final double[] LOADS = {0.3, 0.6, 0.85};

    private HeteroScenario() {}

    static Scenario scenario() {
        return new Scenario(
                "hetero",
                "40 replicas",
                HeteroScenario::scenes,
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

    private static List<Scene> scenes(boolean full) {
        List<Scene> scenes = new ArrayList<>();
        for (double load : LOADS) {
            scenes.add(scene(full, load, HALF, 0));
            scenes.add(scene(full, load, 2 * HALF, 0));
        }
        for (double load : LOADS) scenes.add(scene(full, load, HALF, 2));
        return scenes;
    }

    private static Scene scene(boolean full, double load, double fastHalf, int stepping) {
        int replicas = full ? 40 : 20;
        long warm = Integer.getInteger("hetero.warm", 90) * SECOND;
        long measured = Integer.getInteger("hetero.measured", full ? 240 : 100) * SECOND;
        double all = replicas * 1.5 * SLOW_PER_SECOND;
        return new Scene(
                replicas,
                new EngineModel.TwoSpeeds(
                        EngineModel.Sharing.of("slow", SLOW_PER_SECOND, HALF),
                        EngineModel.Sharing.of("fast", 2 * SLOW_PER_SECOND, fastHalf),
                        stepping,
                        warm + 10 * SECOND),
                full ? 4 : 2,
                new Workload.Shifting(load * all, 400, 250, stepping > 0 ? Long.MAX_VALUE : warm + measured / 2, Long.getLong("hetero.swing", 60) * SECOND, 0.2 * all, 0.8 * all),
                Scene.aged(100_000_000L),
                new Scene.Span(warm, measured, 0),
                null,
                null,
                null,
                List.of());
    }
}
