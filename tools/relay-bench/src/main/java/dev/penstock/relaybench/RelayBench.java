package dev.penstock.relaybench;

import dev.penstock.report.Report;
import java.util.function.Consumer;

/** The way in: runs the scenes asked for, one after the other, with the same contenders. */
public final class RelayBench {
    public static final String NAME = "relay";

    private static final String ABOUT = "What does relaying cost beside a bare Vert.x relay and nginx?";

    private RelayBench() {}

    /** @param progress told of each step and of each pair's figures */
    public static Report run(RelayOptions options, Consumer<String> progress) throws Exception {
        Figures figures = new Figures(options.form().quiet());
        try (Stage stage = new Stage(options, progress)) {
            for (Scene scene : options.scenes()) run(scene, stage, figures);
        }
        return figures.report(NAME, ABOUT, options.form().pairs(), options.command());
    }

    private static void run(Scene scene, Stage stage, Figures figures) throws Exception {
        switch (scene) {
            case SMALL -> SmallScene.run(stage, figures);
            case SSE -> SseScene.run(stage, figures);
            case BODIES -> BodiesScene.run(stage, figures);
            case FLEET -> FleetScene.run(stage, figures);
            case COLD -> ColdScene.run(stage, figures);
            case SOAK -> SoakScene.run(stage, figures);
        }
    }
}
