package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Load;
import java.util.List;

/** A thousand engines instead of eight: two routers, each with its own broker and fleet, in turn. */
final class FleetScene {
    private static final String LARGE = "router-1000";
    private static final int BODY = 512;
    private static final int CONNECTIONS = 64;
    private static final int RATE = 500;

    private FleetScene() {}

    static void run(Stage stage, Figures figures) throws Exception {
        List<Contender> both = List.of(stage.router(), stage.router(LARGE, Stage.MANY));
        Load busy = Load.closed(BODY, Answer.JSON, CONNECTIONS);
        stage.warm(both, busy, stage.form().warmSeconds());
        Rounds cost = stage.alternate("fleet", both, busy, "us/request", Window::cpuPerRequest);
        figures.add("cpu_us_per_request_1000_engines", cost.of(LARGE, Window::cpuPerRequest));
        figures.timeBar("cpu_ratio_1000_to_8_engines", 1.15, cost.ratio(LARGE, Stage.ROUTER, Window::cpuPerRequest));

        Load sparse = Load.open(BODY, Answer.JSON, CONNECTIONS, RATE);
        stage.warm(both, sparse, stage.form().warmSeconds() / 3);
        Rounds times = stage.alternate("fleet, 500 rps", both, sparse, "p99 ms", window -> window.counts()
                .p99Millis());
        figures.add(
                "p99_ms_1000_engines", times.of(LARGE, window -> window.counts().p99Millis()));
        figures.timeBar("p99_ratio_1000_to_8_engines", 1.5, times.ratio(LARGE, Stage.ROUTER, window -> window.counts()
                .p99Millis()));
    }
}
