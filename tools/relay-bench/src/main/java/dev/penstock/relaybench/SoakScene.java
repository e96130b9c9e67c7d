package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Streams and answers for a long time, one in a hundred abandoned, reset or refused: does anything grow? With either
 * collector; the figures are of the deployed one, and of the other one its pauses.
 */
final class SoakScene {
    private static final int BODY = 2 << 10;
    private static final int CONNECTIONS = 64;
    private static final int RATE = 300;
    private static final double FAULTS = 0.01;
    private static final int SAMPLES = 24;

    /** Longer than pooled connections idle, and than what a JVM does when it is left alone. */
    private static final double IDLE_SECONDS = 6;

    private SoakScene() {}

    static void run(Stage stage, Figures figures) throws Exception {
        soak(stage, figures, JvmFlags.G1, stage.form().soakSeconds());
        soak(stage, figures, JvmFlags.ZGC, stage.form().soakSeconds() / 3.0);
    }

    private static void soak(Stage stage, Figures figures, JvmFlags jvm, double seconds) throws Exception {
        String label = jvm.name().toLowerCase(Locale.ROOT);
        Path log = stage.folder().resolve("gc-" + label + ".log");
        List<String> flags = new ArrayList<>(jvm.flags());
        flags.add("-Xlog:gc*:file=" + log);
        flags.add("-XX:NativeMemoryTracking=summary");
        String name = "router-soak-" + label;
        try (RouterContender router =
                RouterContender.start(stage.cores(), flags, stage.folder(), name, stage.fleet(Stage.FEW))) {
            Load load = Load.open(BODY, Answer.MIX, CONNECTIONS, RATE)
                    .faults(FAULTS)
                    .at(router.port());
            int filesBefore = warm(stage, router, load);
            List<Sample> samples = under(stage, router, load, label, seconds);
            Counts counts = stage.rig().end();
            Stage.pause(IDLE_SECONDS);
            stage.say(String.format(
                    Locale.ROOT,
                    "soak %s: %d answered, %d abandoned by clients, %d failed",
                    label,
                    counts.answered(),
                    counts.abandoned(),
                    counts.failed()));
            if (jvm == JvmFlags.G1) judge(figures, router, samples, filesBefore);
        }
        GcPauses pauses = GcPauses.in(log);
        figures.add("gc_pauses_" + label, pauses.count());
        figures.add("gc_pause_p99_ms_" + label, pauses.p99Millis());
        figures.add("gc_pause_max_ms_" + label, pauses.maxMillis());
    }

    /** Until its buffers have the size they keep; gives how many files it has open when all is quiet. */
    private static int warm(Stage stage, RouterContender router, Load load) throws Exception {
        stage.say("soak: warming up " + router.name());
        stage.rig().begin(load);
        Stage.pause(2 * stage.form().warmSeconds());
        stage.rig().end();
        Stage.pause(IDLE_SECONDS);
        return ProcessCpu.openFiles(router.child().handle());
    }

    private static List<Sample> under(Stage stage, RouterContender router, Load load, String label, double seconds)
            throws Exception {
        stage.rig().begin(load);
        List<Sample> samples = new ArrayList<>();
        for (int i = 1; i <= SAMPLES; i++) {
            Stage.pause(seconds / SAMPLES);
            Sample sample = Sample.of(router);
            samples.add(sample);
            stage.say(String.format(
                    Locale.ROOT,
                    "soak %s %d/%d: heap %.1f MiB live, direct %.1f MiB, %d files",
                    label,
                    i,
                    SAMPLES,
                    sample.heapBytes() / 1048576.0,
                    sample.directBytes() / 1048576.0,
                    sample.openFiles()));
        }
        return samples;
    }

    private record Sample(long heapBytes, long directBytes, int openFiles) {
        static Sample of(RouterContender router) throws IOException {
            return new Sample(
                    router.probe().liveHeapBytes(),
                    router.probe().directBytes(),
                    ProcessCpu.openFiles(router.child().handle()));
        }
    }

    private static void judge(Figures figures, RouterContender router, List<Sample> samples, int filesBefore) {
        double[] heap = samples.stream().mapToDouble(Sample::heapBytes).toArray();
        double[] direct = samples.stream().mapToDouble(Sample::directBytes).toArray();
        int filesAfter = ProcessCpu.openFiles(router.child().handle());
        figures.countBar("soak_heap_slope_pct", "<=", 5, Trend.growthPercent(heap));
        figures.countBar("soak_direct_slope_pct", "<=", 5, Trend.growthPercent(direct));
        figures.countBar("soak_fd_growth", "<=", 10, filesAfter - filesBefore);
        figures.countBar("soak_inflight_after_drain", "==", 0, router.inflight());
    }
}
