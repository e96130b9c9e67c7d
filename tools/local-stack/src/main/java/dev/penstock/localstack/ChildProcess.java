package dev.penstock.localstack;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance as a JVM of its own, on this JVM's java and class path. One that dies without having been told to is started
 * again after 1 s. Its log is {@code logs/NAME.log}.
 */
final class ChildProcess implements Instance {
    private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration ONE_LOOK = Duration.ofMillis(500);
    private static final long RESTART_MILLIS = 1_000;
    /** Configuration wrong, port taken: another start would end the same. */
    private static final Set<Integer> HOPELESS = Set.of(2, 3);

    private static final int SHOWN_LINES = 10;
    private static final long LARGEST_LOG = 20L << 20;

    private final ServiceKind kind;
    private final int index;
    private final List<String> command;
    private final Map<String, String> environment;
    private final StatusPage.Place place;
    private final Path log;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(ONE_LOOK).build();
    private final CpuMeter cpu = new CpuMeter();
    private volatile @Nullable Process process;
    private volatile boolean wanted;

    ChildProcess(
            ServiceKind kind,
            int index,
            @Nullable Path config,
            Map<String, String> settings,
            StatusPage.Place place,
            Path logs) {
        this.kind = kind;
        this.index = index;
        this.place = place;
        this.log = logs.resolve(name() + ".log");
        this.command = command(kind, config);
        this.environment = settings;
    }

    private static List<String> command(ServiceKind kind, @Nullable Path config) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-Xss512k",
                "-Xmx" + kind.heapMib + "m",
                "-Dlogback.configurationFile=dev/penstock/kit/logback-json.xml",
                "-cp",
                System.getProperty("java.class.path"),
                kind.main.getName()));
        // Ten JVMs start on two cores: the first compiler is enough for all but the hot path.
        if (kind != ServiceKind.ROUTER) command.add(1, "-XX:TieredStopAtLevel=1");
        if (config != null)
            command.addAll(List.of("--config", config.toAbsolutePath().toString()));
        return command;
    }

    @Override
    public ServiceKind kind() {
        return kind;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public StatusPage.Place place() {
        return place;
    }

    @Override
    public void start() throws Exception {
        wanted = true;
        spawn();
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() - deadline < 0) {
            Process now = process;
            if (now != null && !now.isAlive() && HOPELESS.contains(now.exitValue())) {
                wanted = false;
                throw new IOException(lastLines());
            }
            if (alive()) return;
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IOException(name() + " did not answer within " + START.toSeconds() + " s; see " + log);
    }

    private synchronized void spawn() throws IOException {
        if (!wanted) return;
        Files.createDirectories(log.toAbsolutePath().getParent());
        if (Files.exists(log) && Files.size(log) > LARGEST_LOG) Files.delete(log);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().putAll(environment);
        builder.environment().put("PENSTOCK_NAME", name());
        builder.environment()
                .put("PENSTOCK_PARENT", String.valueOf(ProcessHandle.current().pid()));
        Process fresh = builder.start();
        process = fresh;
        fresh.onExit().thenAccept(this::ended);
    }

    private void ended(Process ended) {
        if (!wanted || ended != process) return;
        LOG.atInfo()
                .addKeyValue("service", name())
                .addKeyValue("exit", ended.exitValue())
                .log("process ended, starting it again");
        Thread.ofVirtual().start(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(RESTART_MILLIS);
                spawn();
            } catch (IOException | InterruptedException e) {
                LOG.atError().setCause(e).addKeyValue("service", name()).log("process not started again");
            }
        });
    }

    private boolean alive() {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(place.managementUrl() + "/livez"))
                    .timeout(ONE_LOOK)
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return name() + " did not start:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }

    @Override
    public void stop(Duration grace) throws Exception {
        wanted = false;
        Process now = process;
        if (now == null) return;
        // A stopped process would not hear that it is to end.
        if (now.isAlive()) signal("-CONT");
        now.destroy();
        if (!now.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) now.destroyForcibly();
    }

    @Override
    public void fault(String verb) throws Exception {
        Process now = process;
        if (now == null || !now.isAlive()) {
            throw new IllegalArgumentException(
                    name() + " does not run at the moment; it is started again within seconds");
        }
        switch (verb) {
            case "kill" -> now.destroyForcibly();
            case "stop" -> signal("-STOP");
            case "cont" -> signal("-CONT");
            case "restart" -> now.destroy();
            default ->
                throw new IllegalArgumentException("verb: '" + verb + "', expected one of kill, stop, cont, restart");
        }
    }

    private void signal(String signal) throws IOException, InterruptedException {
        Process now = process;
        if (now == null) return;
        Process kill = new ProcessBuilder("kill", signal, Long.toString(now.pid())).start();
        if (kill.waitFor() != 0 && now.isAlive()) throw new IOException("kill " + signal + " " + now.pid() + " failed");
    }

    @Override
    public double cpuCores() {
        Process now = process;
        return now == null ? 0 : cpu.cores(now);
    }
}
