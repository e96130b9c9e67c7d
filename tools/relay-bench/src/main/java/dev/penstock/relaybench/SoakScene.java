package dev.penstock.relaybench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Does anything grow? With either collector; the figures are of the deployed one, and of the other one its pauses. */
final class SoakScene {
    private SoakScene() {}

    static void run(Stage stage, Figures figures) throws Exception {
        soak(stage, figures, JvmFlags.G1, stage.form().soakSeconds());
        soak(stage, figures, JvmFlags.ZGC, stage.form().soakSeconds() / 3.0);
    }

    private static void soak(Stage stage, Figures figures, JvmFlags jvm, double seconds) throws Exception {
        String label = jvm.name().toLowerCase(Locale.ROOT);
        Path log = stage.folder().resolve("gc-" + label + ".log");
        List<String> flags = new ArrayList<>(flags(jvm));
        flags.add("-Xlog:gc*:file=" + log);
        try (RouterContender router = RouterContender.start(
                stage.cores(), flags, stage.folder(), "router-soak-" + label, stage.fleet(Stage.FEW))) {
            Soak soak = Soak.of(stage, router, stage.form().warmSeconds(), seconds);
            stage.say(label + ": " + told(soak));
            if (jvm == JvmFlags.G1) judge(figures, soak);
        }
        GcPauses pauses = GcPauses.in(log);
        figures.add("gc_pauses_" + label, pauses.count());
        figures.add("gc_pause_p99_ms_" + label, pauses.p99Millis());
        figures.add("gc_pause_max_ms_" + label, pauses.maxMillis());
    }

    /** A soaked router tells what it has outside of its heap. */
    static List<String> flags(JvmFlags jvm) {
        List<String> flags = new ArrayList<>(jvm.flags());
        flags.add("-XX:NativeMemoryTracking=summary");
        return flags;
    }

    private static String told(Soak soak) {
        return String.format(
                Locale.ROOT,
                "heap %.2f %%, direct %.2f %%, files %d, objects per request %.4f, own objects %d, in flight %.0f",
                soak.heapSlopePercent(),
                soak.directSlopePercent(),
                soak.fileGrowth(),
                soak.objectsPerRequest(),
                soak.ownObjects(),
                soak.inflight());
    }

    private static void judge(Figures figures, Soak soak) {
        figures.countBar("soak_heap_slope_pct", "<=", Soak.MOST_SLOPE_PERCENT, soak.heapSlopePercent());
        figures.countBar("soak_direct_slope_pct", "<=", Soak.MOST_SLOPE_PERCENT, soak.directSlopePercent());
        figures.countBar("soak_fd_growth", "<=", Soak.MOST_FILES, soak.fileGrowth());
        figures.countBar("soak_objects_per_request", "<=", Soak.MOST_OBJECTS_PER_REQUEST, soak.objectsPerRequest());
        figures.countBar("soak_own_objects_growth", "<=", Soak.MOST_OWN_OBJECTS, soak.ownObjects());
        figures.countBar("soak_inflight_after_drain", "==", 0, soak.inflight());
    }
}
