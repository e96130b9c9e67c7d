package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Load;
import java.util.List;

/** Small questions with small answers: what a request costs, and how long it takes where there is no crowd. */
final class SmallScene {
    private static final int BODY = 512;
    private static final int CONNECTIONS = 64;
    private static final int LATENCY_CONNECTIONS = 16;
    private static final int LATENCY_RATE = 500;

    private SmallScene() {}

    static void run(Stage stage, Figures figures) throws Exception {
        List<Contender> all = stage.all();
        Load busy = Load.closed(BODY, Answer.JSON, CONNECTIONS);
        stage.warm(all, busy, stage.form().warmSeconds());
        Rounds cost = stage.alternate("small", all, busy, "us/request", Window::cpuPerRequest);
        for (Contender each : all) {
            figures.of(each.name(), "cpu_us_per_request", cost.of(each.name(), Window::cpuPerRequest));
            if (each.jvm()) {
                figures.of(each.name(), "alloc_bytes_per_request", cost.of(each.name(), Window::bytesPerRequest));
            }
        }
        figures.timeBar("cpu_ratio_to_bare_vertx", 1.2, cost.ratio(Stage.ROUTER, Stage.BARE, Window::cpuPerRequest));
        double[] over = cost.difference(Stage.ROUTER, Stage.BARE, Window::bytesPerRequest);
        figures.bytesBar("alloc_bytes_per_request_over_bare", 4_096, over);
        figures.add(
                "idle_core_pct",
                100 * stage.idleCores(stage.router(), stage.form().windowSeconds()));
        if (!cost.has(Stage.NGINX)) {
            figures.unknown("cpu_ratio_to_nginx", 1.7);
            figures.unknown("p50_added_ms_minus_nginx", 0.1);
            return;
        }
        figures.timeBar("cpu_ratio_to_nginx", 1.7, cost.ratio(Stage.ROUTER, Stage.NGINX, Window::cpuPerRequest));
        latency(stage, figures, all);
    }

    private static void latency(Stage stage, Figures figures, List<Contender> all) throws Exception {
        Load sparse = Load.open(BODY, Answer.JSON, LATENCY_CONNECTIONS, LATENCY_RATE);
        stage.warm(all, sparse, stage.form().warmSeconds() / 3);
        Rounds rounds = stage.alternate(
                "500 rps", all, sparse, "p50 ms", window -> window.counts().p50Millis());
        for (Contender each : all) {
            figures.of(each.name(), "p50_ms", rounds.of(each.name(), window -> window.counts()
                    .p50Millis()));
            figures.of(each.name(), "p99_ms", rounds.of(each.name(), window -> window.counts()
                    .p99Millis()));
        }
        figures.timeBar(
                "p50_added_ms_minus_nginx", 0.1, rounds.difference(Stage.ROUTER, Stage.NGINX, window -> window.counts()
                        .p50Millis()));
        figures.add("p99_ms_minus_nginx", rounds.difference(Stage.ROUTER, Stage.NGINX, window -> window.counts()
                .p99Millis()));
    }
}
