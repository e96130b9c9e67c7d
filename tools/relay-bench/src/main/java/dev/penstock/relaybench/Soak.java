package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Load;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a long time of streams and answers, one in a hundred abandoned, reset or refused, has left in a router: looked at under
 * the load, and at rest before and after it. Counts and trends only, which a slow or busy machine has too.
 *
 * @param inflight requests that the router believes to be under way when all are over
 * @param counts what clients have seen, the warm-up left out
 */
record Soak(List<Sample> samples, Rest before, Rest after, double inflight, Counts counts) {
    static final double MOST_SLOPE_PERCENT = 5;
    static final int MOST_FILES = 10;
    /** One that is kept for each request makes it 1. A JVM that is looked at comes to some 600 strings, however many requests. */
    static final double MOST_OBJECTS_PER_REQUEST = 0.5;
    /** Fewer than a minute's faults of one kind: one that is kept for each client that left is seen. */
    static final long MOST_OWN_OBJECTS = 30;

    private static final String ALL = "";
    private static final String OWN = "dev.penstock.";

    private static final int BODY = 2 << 10;
    private static final int CONNECTIONS = 64;
    private static final int RATE = 300;
    private static final double FAULTS = 0.01;
    private static final int SAMPLES = 24;

    /** Longer than pooled connections idle, and than what a JVM does when it is left alone. */
    private static final double IDLE_SECONDS = 6;

    /** Under load, after a full collection. */
    record Sample(long heapBytes, long directBytes) {
        static Sample of(RouterContender router) throws IOException {
            return new Sample(router.probe().liveHeapBytes(), router.probe().directBytes());
        }
    }

    /** When nobody asks. */
    record Rest(int openFiles, LiveObjects objects) {
        static Rest of(RouterContender router) throws Exception {
            Stage.pause(IDLE_SECONDS);
            return new Rest(
                    ProcessCpu.openFiles(router.child().handle()),
                    router.probe().liveObjects());
        }
    }

    /** @param warmSeconds of the same load before, until buffers have the size they keep */
    static Soak of(Stage stage, RouterContender router, double warmSeconds, double seconds) throws Exception {
        Load load =
                Load.open(BODY, Answer.MIX, CONNECTIONS, RATE).faults(FAULTS).at(router.port());
        stage.say("soak: warming up " + router.name());
        stage.rig().begin(load);
        Stage.pause(warmSeconds);
        stage.rig().end();
        Rest before = Rest.of(router);
        stage.rig().begin(load);
        List<Sample> samples = new ArrayList<>();
        for (int i = 1; i <= SAMPLES; i++) {
            Stage.pause(seconds / SAMPLES);
            Sample sample = Sample.of(router);
            samples.add(sample);
            stage.say(String.format(
                    Locale.ROOT,
                    "%s %d/%d: heap %.1f MiB live, direct %.1f MiB",
                    router.name(),
                    i,
                    SAMPLES,
                    sample.heapBytes() / 1048576.0,
                    sample.directBytes() / 1048576.0));
        }
        Counts counts = stage.rig().end();
        Rest after = Rest.of(router);
        Soak soak = new Soak(samples, before, after, router.inflight(), counts);
        stage.say(router.name() + ": " + soak);
        return soak;
    }

    double heapSlopePercent() {
        return Trend.growthPercent(
                samples.stream().mapToDouble(Sample::heapBytes).toArray());
    }

    double directSlopePercent() {
        return Trend.steadyGrowthPercent(
                samples.stream().mapToDouble(Sample::directBytes).toArray());
    }

    int fileGrowth() {
        return after.openFiles() - before.openFiles();
    }

    long requests() {
        return counts.answered() + counts.failed() + counts.abandoned();
    }

    /** Of the class that has grown most, whatever the size of its objects. */
    double objectsPerRequest() {
        return (double) grown(ALL).getValue() / Math.max(1, requests());
    }

    /** Of the router's class that has grown most. */
    long ownObjects() {
        return grown(OWN).getValue();
    }

    private Map.Entry<String, Long> grown(String names) {
        return after.objects().mostGrownSince(before.objects(), names);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d answered, %d abandoned by clients, %d failed; heap %+.2f %%, direct %+.2f %%, files %+d; most"
                        + " grown: %s, of the router's own %s",
                counts.answered(),
                counts.abandoned(),
                counts.failed(),
                heapSlopePercent(),
                directSlopePercent(),
                fileGrowth(),
                grown(ALL),
                grown(OWN));
    }
}
