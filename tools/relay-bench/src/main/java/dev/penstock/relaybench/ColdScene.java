package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Load;
import java.util.Arrays;
import java.util.Locale;

/** Routers that have just begun: their first hundred requests beside as many once they are warm. */
final class ColdScene {
    private static final int BODY = 512;
    private static final int CONNECTIONS = 16;
    private static final int RATE = 100;
    private static final int REQUESTS = 100;
    private static final int STEADY_BATCHES = 5;
    private static final double BATCH_SECONDS = (double) REQUESTS / RATE + 0.2;

    private ColdScene() {}

    static void run(Stage stage, Figures figures) throws Exception {
        double[] cold = new double[stage.form().coldStarts()];
        double[] steady = new double[cold.length];
        double[] ratio = new double[cold.length];
        StubFleet fleet = stage.fleet(Stage.FEW);
        for (int i = 0; i < cold.length; i++) {
            String name = "router-cold-" + i;
            try (RouterContender router =
                    RouterContender.launch(stage.cores(), stage.jvm().flags(), stage.folder(), name, fleet)) {
                cold[i] = batch(stage, router);
                stage.measure(
                        router,
                        Load.closed(BODY, Answer.JSON, CONNECTIONS),
                        0,
                        stage.form().warmSeconds());
                double[] batches = new double[STEADY_BATCHES];
                for (int b = 0; b < STEADY_BATCHES; b++) {
                    stage.wake(router);
                    batches[b] = batch(stage, router);
                }
                Arrays.sort(batches);
                steady[i] = batches[STEADY_BATCHES / 2];
                ratio[i] = cold[i] / steady[i];
            }
            stage.say(String.format(
                    Locale.ROOT,
                    "cold start %d/%d: p99 of the first %d requests %.2f ms, steady %.2f ms",
                    i + 1,
                    cold.length,
                    REQUESTS,
                    cold[i],
                    steady[i]));
        }
        figures.add("cold_p99_ms", cold);
        figures.add("steady_p99_ms", steady);
        figures.timeBar("cold_p99_ratio", 3, ratio);
    }

    private static double batch(Stage stage, RouterContender router) throws Exception {
        Load load = Load.open(BODY, Answer.JSON, CONNECTIONS, RATE).most(REQUESTS);
        stage.rig().begin(load.at(router.port()));
        Stage.pause(BATCH_SECONDS);
        Counts counts = stage.rig().end();
        if (counts.answered() < REQUESTS) {
            throw new BenchFailure(counts.answered() + " of " + REQUESTS
                    + " first requests were answered; the last that" + " was not: " + counts.lastFailure());
        }
        return counts.p99Millis();
    }
}
