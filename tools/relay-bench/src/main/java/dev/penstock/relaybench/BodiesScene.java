package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Load;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Bodies of 200 KB and 20 MB: does what the router reads of them make them dearer than they are for nginx? */
final class BodiesScene {
    private static final int BASE = 2 << 10;
    private static final int LONG_PROMPT = 200_000;
    private static final int IMAGE = 20_000_000;
    private static final double MOST_GROWTH = 1.5;

    private BodiesScene() {}

    static void run(Stage stage, Figures figures) throws Exception {
        List<Contender> all = stage.all();
        Rounds base = bodies(stage, figures, all, "2k", BASE, 64);
        Rounds prompt = bodies(stage, figures, all, "200k", LONG_PROMPT, 16);
        Rounds image = bodies(stage, figures, all, "20m", IMAGE, 4);
        growth(figures, "cpu_growth_ratio_to_nginx_200k", base, prompt);
        growth(figures, "cpu_growth_ratio_to_nginx_20m", base, image);
    }

    private static Rounds bodies(
            Stage stage, Figures figures, List<Contender> all, String size, int bytes, int connections)
            throws Exception {
        Load load = Load.closed(bytes, Answer.JSON, connections);
        stage.warm(all, load, stage.form().warmSeconds());
        Rounds rounds = stage.alternate("bodies " + size, all, load, "us/request", Window::cpuPerRequest);
        for (Contender each : all) {
            figures.of(each.name(), "cpu_us_per_request_" + size, rounds.of(each.name(), Window::cpuPerRequest));
        }
        return rounds;
    }

    /** How many times as dear as the base, by how many times as dear for nginx; and the same of what comes on top. */
    private static void growth(Figures figures, String figure, Rounds base, Rounds large) {
        if (!large.has(Stage.NGINX)) {
            figures.unknown(figure, MOST_GROWTH);
            return;
        }
        ToDoubleFunction<Window> cpu = Window::cpuPerRequest;
        double[] router = base.of(Stage.ROUTER, cpu);
        double[] nginx = base.of(Stage.NGINX, cpu);
        double[] largeRouter = large.of(Stage.ROUTER, cpu);
        double[] largeNginx = large.of(Stage.NGINX, cpu);
        double[] ratio = new double[router.length];
        double[] onTop = new double[router.length];
        for (int i = 0; i < ratio.length; i++) {
            ratio[i] = largeRouter[i] / router[i] / (largeNginx[i] / nginx[i]);
            onTop[i] = (largeRouter[i] - router[i]) / (largeNginx[i] - nginx[i]);
        }
        figures.timeBar(figure, MOST_GROWTH, ratio);
        figures.add(figure.replace("growth", "on_top"), onTop);
    }
}
