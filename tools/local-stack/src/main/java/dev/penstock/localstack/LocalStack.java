package dev.penstock.localstack;

import dev.penstock.enginesim.EngineFleet;
import dev.penstock.enginesim.EngineFleetOptions;
import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.EngineSim;
import dev.penstock.enginesim.FleetLayout;
import dev.penstock.enginesim.kvevents.KvEventOptions;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.kit.management.PortTakenException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running suite: started front to back, stopped back to front, also when a start fails half-way. */
public final class LocalStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalStack.class);
    private static final String HOST = "http://127.0.0.1:";
    /** The CPU shown is that of the last two seconds. */
    private static final long CPU_MILLIS = 2_000;

    private static final int START_SECONDS = 20;
    private static final Duration GRACE = Duration.ofSeconds(5);

    private interface Closer {
        void close() throws Exception;
    }

    private final StackOptions options;
    private final Consumer<String> progress;
    private @Nullable FaultDesk faults;
    private @Nullable StatusPage status;
    private final Deque<Closer> closers = new ArrayDeque<>();
    private final List<Instance> instances = new ArrayList<>();
    private final List<StatusPage.Place> engines = new ArrayList<>();
    private final Map<String, String> nameToKvEvents = new HashMap<>();

    private LocalStack(StackOptions options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Starts everything and returns when requests can be sent; {@code down} is called when the control port asks for it. */
    static LocalStack start(StackOptions options, Consumer<String> progress, Runnable down) throws Exception {
        LocalStack stack = new LocalStack(options, progress);
        try {
            stack.startAll(down);
            return stack;
        } catch (Exception e) {
            stack.close();
            throw e;
        }
    }

    /** What is broken and mended here; there from the end of the start on. */
    FaultDesk faults() {
        return Objects.requireNonNull(faults);
    }

    StatusPage status() {
        return Objects.requireNonNull(status);
    }

    List<StatusPage.Place> routers() {
        return places(true);
    }

    private List<StatusPage.Place> services() {
        return places(false);
    }

    private List<StatusPage.Place> places(boolean routers) {
        return instances.stream()
                .filter(instance -> (instance.kind() == ServiceKind.ROUTER) == routers)
                .map(Instance::place)
                .toList();
    }

    private void startAll(Runnable down) throws Exception {
        Files.createDirectories(options.data);
        progress.accept("kafka and redis");
        StateServers servers = new StateServers(options.data);
        closers.push(servers::close);
        Vertx vertx = Vertx.vertx();
        closers.push(() -> Service.await(vertx.close(), START_SECONDS));
        @Nullable EngineFleet fleet = options.simulated() ? startEngines(vertx) : null;
        Path replicas = options.replicas == null ? writeReplicas() : options.replicas;

        Map<String, String> settings = new HashMap<>();
        settings.put("PENSTOCK__KAFKA__BOOTSTRAPSERVERS", servers.bootstrapServers());
        settings.put("PENSTOCK__KAFKA__REPLICATIONFACTOR", "1");
        settings.put("PENSTOCK__REDIS__URL", servers.redisUrl());
        settings.put("PENSTOCK__DATA__DIRECTORY", options.data.toAbsolutePath().toString());
        settings.put("PENSTOCK__DISCOVERY__FILE", replicas.toAbsolutePath().toString());
        RoleBoard roles = new RoleBoard(vertx, servers.bootstrapServers());
        closers.push(() -> Service.await(roles.close(), START_SECONDS));
        startServices(settings);

        StatusPage page = new StatusPage(instances, roles, servers, managementToken(settings));
        FaultDesk desk = new FaultDesk(fleet, servers, instances, roles);
        status = page;
        faults = desk;
        ControlServer control = Service.await(ControlServer.start(vertx, desk, page::render, down), START_SECONDS);
        vertx.setPeriodic(CPU_MILLIS, timer -> instances.forEach(Instance::cpuCores));
        RunFile runFile = new RunFile(options.data);
        closers.push(runFile::remove);
        runFile.write(control.url(), routers(), services(), engines, servers, options.model);
    }

    private void startServices(Map<String, String> settings) throws Exception {
        int twins = options.processes ? 2 : 1;
        for (ServiceKind kind : ServiceKind.values()) {
            int count = kind == ServiceKind.ROUTER ? options.routers : twins;
            for (int i = 0; i < count; i++) instances.add(instance(kind, i, settings));
        }
        startAtOnce();
    }

    private Instance instance(ServiceKind kind, int index, Map<String, String> common) throws IOException {
        Map<String, String> settings = new HashMap<>(common);
        List<Integer> ports = new ArrayList<>();
        for (ServiceKind.Port port : kind.ports) {
            int number = options.portOf(kind, port, index);
            // A process would say so in its own log only.
            if (options.processes) requireFree(number, port.setting());
            ports.add(number);
            settings.put("PENSTOCK__" + port.setting(), String.valueOf(number));
        }
        String name = kind.label() + "-" + index;
        if (kind == ServiceKind.ROUTER) settings.put("PENSTOCK__ROUTER__NAME", name);
        int shown = ports.size() > 1 ? ports.get(1) : ports.getFirst();
        StatusPage.Place place = new StatusPage.Place(name, HOST + shown, HOST + ports.getFirst());
        return options.processes
                ? new ChildProcess(kind, index, options.config, settings, place, options.data.resolve("logs"))
                : new InJvm(kind, index, options.config, settings, place);
    }

    private static void requireFree(int port, String setting) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException taken) {
            throw new PortTakenException(port, setting.toLowerCase(Locale.ROOT).replace("__", "."));
        }
    }

    private void startAtOnce() throws Exception {
        String names = instances.stream().map(Instance::name).collect(Collectors.joining(", "));
        progress.accept(names + (options.processes ? ", a process each" : ""));
        closers.push(this::stopAtOnce);
        List<FutureTask<Boolean>> starts = new ArrayList<>();
        for (Instance instance : instances) {
            FutureTask<Boolean> start = new FutureTask<>(() -> {
                instance.start();
                return true;
            });
            starts.add(start);
            Thread.ofVirtual().start(start);
        }
        for (FutureTask<Boolean> start : starts) {
            try {
                start.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    /** The routers first, so that no request meets a half-stopped stack. */
    private void stopAtOnce() throws InterruptedException {
        for (boolean router : new boolean[] {true, false}) {
            List<Thread> stops = instances.stream()
                    .filter(instance -> (instance.kind() == ServiceKind.ROUTER) == router)
                    .map(instance -> Thread.ofVirtual().start(() -> stopQuietly(instance)))
                    .toList();
            for (Thread stop : stops) stop.join();
        }
    }

    private static void stopQuietly(Instance instance) {
        try {
            instance.stop(GRACE);
        } catch (Exception e) {
            LOG.warn("{} did not stop cleanly", instance.name(), e);
        }
    }

    private @Nullable String managementToken(Map<String, String> settings) {
        return SecurityConfig.read(ConfigTree.load(options.config, settings)).managementToken();
    }

    private EngineFleet startEngines(Vertx vertx) throws Exception {
        List<Profile> profiles = options.mix().profiles();
        progress.accept(profiles.size() + " simulated engines (" + options.profile + ")");
        EngineFleet fleet = Service.await(
                EngineFleet.start(
                        vertx,
                        EngineFleetOptions.defaults()
                                .withCount(profiles.size())
                                .withModels(options.model)
                                .withKind(EngineKind.named(options.engineKind))
                                .withKvEvents(options.kvEvents ? KvEventOptions.onAnyPorts() : null),
                        new FleetLayout(profiles, 1)),
                START_SECONDS);
        closers.push(() -> Service.await(fleet.close(), START_SECONDS));
        for (EngineSim engine : fleet.engines()) {
            engines.add(new StatusPage.Place(engine.name(), engine.endpoint(), engine.endpoint()));
            if (options.kvEvents) nameToKvEvents.put(engine.name(), kvEvents(engine));
        }
        return fleet;
    }

    /** Fields of the replica file. */
    private static String kvEvents(EngineSim engine) {
        return ", kvEvents: \"" + engine.kvEvents() + "\", kvReplay: \"" + engine.kvReplay() + '"';
    }

    /** The replica file of simulated engines, or of those named by URL (their models are asked for). */
    private Path writeReplicas() throws IOException {
        StringBuilder yaml = new StringBuilder("replicas:\n");
        if (options.simulated()) {
            List<Profile> profiles = options.mix().profiles();
            for (int i = 0; i < engines.size(); i++) {
                StatusPage.Place engine = engines.get(i);
                yaml.append("  - {name: ")
                        .append(engine.name())
                        .append(", endpoint: \"")
                        .append(engine.url())
                        .append("\", models: [\"")
                        .append(options.model)
                        .append("\"], engine: auto, hardwareClass: ")
                        .append(profiles.get(i).name())
                        .append(nameToKvEvents.getOrDefault(engine.name(), ""))
                        .append("}\n");
            }
        } else {
            for (int i = 0; i < options.engineUrls.size(); i++) {
                String url = options.engineUrls.get(i).replaceAll("/$", "");
                engines.add(new StatusPage.Place("engine-" + i, url, url));
                yaml.append("  - {name: engine-")
                        .append(i)
                        .append(", endpoint: \"")
                        .append(url)
                        .append("\"}\n");
            }
        }
        Path file = options.data.resolve("replicas.yaml");
        Files.writeString(file, yaml);
        return file;
    }

    @Override
    public void close() {
        while (!closers.isEmpty()) {
            Closer closer = closers.pop();
            try {
                closer.close();
            } catch (Exception e) {
                LOG.warn("a part did not stop cleanly", e);
            }
        }
    }
}
