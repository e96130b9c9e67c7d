package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Engines;
import dev.penstock.relaybench.rig.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rig, the fleets and the contenders of one run, each started when a scene first asks for it. Of the contenders one runs
 * at a time: the others are frozen, so that what a router does beside requests costs its neighbours nothing.
 */
final class Stage implements AutoCloseable {
    /** Engines of the router that is compared with others. */
    static final int FEW = 8;

    static final int MANY = 1_000;

    static final String ROUTER = "router";
    static final String BARE = "bare";
    static final String NGINX = "nginx";

    /** Of the processor time that a JVM uses, used by its compilers: less, and it is warm. */
    private static final double RESTED = 0.02;

    /** Times the seconds of warm-up, then it is what it is. */
    private static final double MOST_WARM = 3;

    /** Of the seconds of warm-up: how often is looked whether the compilers rest. */
    private static final double WARM_LOOKS = 4;

    /** Of all requests that may fail where no fault is injected; more is a broken contender, not a slow one. */
    private static final double MOST_FAILED = 0.001;

    private final RelayOptions options;
    private final Consumer<String> progress;
    private final Cores cores;
    private final Path folder;
    private final RigProcess rig;
    private final List<String> flags;
    private final Map<Integer, StubFleet> fleets = new LinkedHashMap<>();
    private final Map<String, Contender> contenders = new LinkedHashMap<>();
    private boolean recording;

    Stage(RelayOptions options, Consumer<String> progress) throws IOException, InterruptedException {
        // Kafka's broker looks for a Log4j that is not there, and complains on standard error.
        System.setProperty("log4j2.loggerContextFactory", "org.apache.logging.log4j.simple.SimpleLoggerContextFactory");
        this.options = options;
        this.progress = progress;
        this.cores = Cores.of(options.urgent());
        this.folder = Files.createTempDirectory("penstock-relay-");
        this.flags = jvm().flags();
        progress.accept(cores.note());
        cores.moveSelf();
        this.rig = RigProcess.start(cores, MANY, folder.resolve("rig.log"));
    }

    RelayOptions options() {
        return options;
    }

    Form form() {
        return options.form();
    }

    JvmFlags jvm() {
        return options.zgc() ? JvmFlags.ZGC : JvmFlags.G1;
    }

    Cores cores() {
        return cores;
    }

    Path folder() {
        return folder;
    }

    RigProcess rig() {
        return rig;
    }

    void say(String what) {
        progress.accept(what);
    }

    StubFleet fleet(int replicas) throws Exception {
        StubFleet known = fleets.get(replicas);
        if (known != null) return known;
        say("starting a broker, a Redis and " + replicas + " engines");
        StubFleet fleet = StubFleet.start(folder, replicas, rig.enginePort());
        fleets.put(replicas, fleet);
        return fleet;
    }

    RouterContender router() throws Exception {
        return router(ROUTER, FEW);
    }

    RouterContender router(String name, int replicas) throws Exception {
        if (contenders.get(name) instanceof RouterContender known) return known;
        StubFleet fleet = fleet(replicas);
        say("starting " + name + " with " + jvm());
        RouterContender router = RouterContender.start(cores, flags, folder, name, fleet);
        add(router);
        return router;
    }

    /** The router, the bare relay and, where it is installed, nginx. */
    List<Contender> all() throws Exception {
        List<Contender> all = new ArrayList<>(List.of(router(), bare()));
        Contender nginx = nginx();
        if (nginx != null) all.add(nginx);
        return all;
    }

    Contender bare() throws Exception {
        Contender known = contenders.get(BARE);
        if (known != null) return known;
        return add(BareContender.start(cores, flags, folder, Engines.host(0), rig.enginePort()));
    }

    @Nullable
    Contender nginx() throws Exception {
        Contender known = contenders.get(NGINX);
        if (known != null) return known;
        if (!Executables.present("nginx")) {
            say("no nginx on this machine: what compares with it is n/a");
            return null;
        }
        return add(NginxContender.start(cores, folder, Engines.host(0), rig.enginePort()));
    }

    private Contender add(Contender contender) throws IOException, InterruptedException {
        contender.child().signal("-STOP");
        contenders.put(contender.name(), contender);
        return contender;
    }

    /** Loads the JVMs until they are compiled. */
    void warm(List<Contender> which, Load load, double seconds) throws Exception {
        for (Contender contender : which) {
            if (!contender.jvm()) continue;
            say("warming up " + contender.name() + " for at least " + Math.round(seconds) + " s");
            double lasted = 0;
            double share = 1;
            while (lasted < seconds || (share > RESTED && lasted < MOST_WARM * seconds)) {
                double compiled = ProcessCpu.compilerMicros(contender.child().handle());
                Window window = measure(contender, load, 0, seconds / WARM_LOOKS);
                lasted += window.seconds();
                share = (ProcessCpu.compilerMicros(contender.child().handle()) - compiled) / window.cpuMicros();
            }
            say(String.format(
                    Locale.ROOT,
                    "%s is warm: %.1f %% of its time is its compilers' after %.0f s",
                    contender.name(),
                    100 * share,
                    lasted));
        }
    }

    /** Every contender once per pair, each pair in another order; prints the figure as it goes. */
    Rounds alternate(String what, List<Contender> which, Load load, String unit, ToDoubleFunction<Window> shown)
            throws Exception {
        Map<String, List<Window>> windows = new LinkedHashMap<>();
        List<Contender> order = new ArrayList<>(which);
        for (int pair = 1; pair <= form().pairs(); pair++) {
            Map<String, String> line = new LinkedHashMap<>();
            for (Contender each : which) line.put(each.name(), "");
            for (Contender each : order) {
                Window window = measure(each, load, form().leadSeconds(), form().windowSeconds());
                windows.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(window);
                line.put(
                        each.name(),
                        String.format(
                                Locale.ROOT,
                                "%s %.2f (%.0f/s, core %.0f %%)",
                                each.name(),
                                shown.applyAsDouble(window),
                                window.requests() / window.seconds(),
                                100 * window.cores()));
            }
            say(what + " " + pair + "/" + form().pairs() + ", " + unit + ": " + String.join("  ", line.values()));
            Collections.rotate(order, 1);
        }
        return new Rounds(windows);
    }

    Window measure(Contender contender, Load load, double leadSeconds, double seconds) throws Exception {
        wake(contender);
        rig.begin(load.at(contender.port()));
        pause(leadSeconds);
        rig.clear();
        recordFrom(contender, leadSeconds > 0);
        long allocated = contender.allocatedBytes();
        Counts before = rig.mark();
        double cpu = ProcessCpu.micros(contender.child().handle());
        long start = System.nanoTime();
        pause(seconds);
        Counts after = rig.mark();
        double used = ProcessCpu.micros(contender.child().handle()) - cpu;
        double lasted = (System.nanoTime() - start) / 1e9;
        long bytes = contender.allocatedBytes() - allocated;
        Counts total = rig.end();
        freeze(contender);
        long requests = after.answered() - before.answered();
        if (total.failed() > MOST_FAILED * Math.max(1, total.answered())) {
            throw new BenchFailure(contender.name() + ": " + total.failed() + " requests failed and " + total.answered()
                    + " did not; the last one: " + total.lastFailure());
        }
        return new Window(lasted, requests, after.events() - before.events(), used, bytes, after);
    }

    /** Share of a core that a contender uses when nobody asks it anything: a router reads telemetry and tells of itself. */
    double idleCores(Contender contender, double seconds) throws Exception {
        wake(contender);
        double before = ProcessCpu.micros(contender.child().handle());
        pause(seconds);
        double used = ProcessCpu.micros(contender.child().handle()) - before;
        freeze(contender);
        return used / 1e6 / seconds;
    }

    void wake(Contender contender) throws IOException, InterruptedException {
        contender.child().requireAlive();
        contender.child().signal("-CONT");
        contender.awaitReady();
    }

    void freeze(Contender contender) throws IOException, InterruptedException {
        contender.child().signal("-STOP");
    }

    /** The recording runs on while the router is frozen, when there is nothing to see. */
    private void recordFrom(Contender contender, boolean measured) throws IOException {
        Path file = options.recording();
        if (file == null || recording || !measured || !(contender instanceof RouterContender router)) return;
        router.probe().startRecording(file.toAbsolutePath());
        recording = true;
    }

    static void pause(double seconds) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep((long) (seconds * 1e6));
    }

    @Override
    public void close() throws Exception {
        if (recording && contenders.get(ROUTER) instanceof RouterContender router) {
            router.child().signal("-CONT");
            router.probe().stopRecording();
        }
        for (Contender contender : contenders.values()) {
            contender.child().signal("-CONT");
            contender.close();
        }
        for (StubFleet fleet : fleets.values()) fleet.close();
        rig.close();
        cores.release();
        delete();
    }

    private void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(each);
        } catch (UncheckedIOException stillWritten) {
            say("left behind: " + folder);
        }
    }
}
