package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Load;
import java.util.List;

/** Streams of 50 chunks, a hundred at a time: what a chunk costs, and how much later the first one comes. */
final class SseScene {
    private static final int BODY = 512;
    private static final int STREAMS = 100;

    private SseScene() {}

    static void run(Stage stage, Figures figures) throws Exception {
        List<Contender> all = stage.all();
        saturated(stage, figures, all);
        paced(stage, figures, all);
    }

    private static void saturated(Stage stage, Figures figures, List<Contender> all) throws Exception {
        Load load = Load.closed(BODY, Answer.LOCKSTEP, STREAMS);
        stage.warm(all, load, stage.form().warmSeconds());
        Rounds rounds = stage.alternate("sse saturated", all, load, "us/chunk", Window::cpuPerEvent);
        for (Contender each : all) {
            figures.of(each.name(), "sse_cpu_us_per_chunk_saturated", rounds.of(each.name(), Window::cpuPerEvent));
            if (each.jvm()) {
                figures.of(each.name(), "alloc_bytes_per_chunk", rounds.of(each.name(), Window::bytesPerEvent));
            }
        }
        figures.timeBar(
                "sse_cpu_per_chunk_ratio_to_bare_vertx",
                1.15,
                rounds.ratio(Stage.ROUTER, Stage.BARE, Window::cpuPerEvent));
        figures.bytesBar(
                "alloc_bytes_per_chunk_over_bare",
                64,
                rounds.difference(Stage.ROUTER, Stage.BARE, Window::bytesPerEvent));
        String toNginx = "sse_cpu_per_chunk_ratio_to_nginx_saturated";
        if (rounds.has(Stage.NGINX)) {
            figures.timeBar(toNginx, 1.7, rounds.ratio(Stage.ROUTER, Stage.NGINX, Window::cpuPerEvent));
        } else figures.unknown(toNginx, 1.7);
    }

    private static void paced(Stage stage, Figures figures, List<Contender> all) throws Exception {
        Load load = Load.closed(BODY, Answer.PACED, STREAMS);
        stage.warm(all, load, stage.form().warmSeconds() / 3);
        Rounds rounds = stage.alternate("sse paced", all, load, "us/chunk", Window::cpuPerEvent);
        for (Contender each : all) {
            figures.of(each.name(), "sse_cpu_us_per_chunk_paced", rounds.of(each.name(), Window::cpuPerEvent));
            figures.of(each.name(), "first_byte_ms", rounds.of(each.name(), window -> window.counts()
                    .firstP50Millis()));
        }
        if (!rounds.has(Stage.NGINX)) {
            figures.unknown("sse_cpu_per_chunk_ratio_to_nginx_paced", 2.2);
            figures.unknown("first_byte_added_ms_minus_nginx", 0.2);
            return;
        }
        figures.timeBar(
                "sse_cpu_per_chunk_ratio_to_nginx_paced",
                2.2,
                rounds.ratio(Stage.ROUTER, Stage.NGINX, Window::cpuPerEvent));
        figures.timeBar(
                "first_byte_added_ms_minus_nginx",
                0.2,
                rounds.difference(
                        Stage.ROUTER, Stage.NGINX, window -> window.counts().firstP50Millis()));
    }
}
