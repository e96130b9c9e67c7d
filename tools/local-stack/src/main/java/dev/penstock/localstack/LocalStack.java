package dev.penstock.localstack;

import dev.penstock.collector.CollectorWiring;
import dev.penstock.enginesim.EngineFleet;
import dev.penstock.enginesim.EngineFleetOptions;
import dev.penstock.enginesim.EngineSim;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.router.RouterWiring;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running suite: started front to back, stopped back to front, also when a start fails half-way. */
public final class LocalStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalStack.class);
    private static final String HOST = "http://127.0.0.1:";
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
    private final List<StatusPage.Place> routers = new ArrayList<>();
    private final List<StatusPage.Place> engines = new ArrayList<>();

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
        return routers;
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
        settings.put("PENSTOCK__DATA__DIRECTORY", options.data.toString());
        settings.put("PENSTOCK__TELEMETRY__MANAGEMENTPORT", String.valueOf(options.collectorPort));
        settings.put("PENSTOCK__DISCOVERY__FILE", replicas.toString());
        progress.accept("collector");
        run(Service.start("collector", options.config, settings, CollectorWiring::start));
        for (int i = 0; i < options.routers; i++) startRouter(i, settings);

        List<StatusPage.Place> services =
                List.of(new StatusPage.Place("collector", HOST + options.collectorPort, HOST + options.collectorPort));
        StatusPage page = new StatusPage(routers, services, servers, managementToken(settings));
        FaultDesk desk = new FaultDesk(fleet, servers);
        status = page;
        faults = desk;
        ControlServer control = Service.await(ControlServer.start(vertx, desk, page::render, down), START_SECONDS);
        RunFile runFile = new RunFile(options.data);
        closers.push(runFile::remove);
        runFile.write(control.url(), routers, services, engines, servers, options.model);
    }

    private @Nullable String managementToken(Map<String, String> settings) {
        return SecurityConfig.read(ConfigTree.load(options.config, settings)).managementToken();
    }

    private EngineFleet startEngines(Vertx vertx) throws Exception {
        progress.accept(options.engines + " simulated engines (" + options.profile + ")");
        EngineFleet fleet = Service.await(
                EngineFleet.start(
                        vertx,
                        EngineFleetOptions.defaults()
                                .withCount(options.engines)
                                .withModels(options.model)
                                .withProfile(Profile.named(options.profile))),
                START_SECONDS);
        closers.push(() -> Service.await(fleet.close(), START_SECONDS));
        for (EngineSim engine : fleet.engines()) {
            engines.add(new StatusPage.Place(engine.name(), engine.endpoint(), engine.endpoint()));
        }
        return fleet;
    }

    private void startRouter(int index, Map<String, String> common) throws Exception {
        String name = "router-" + index;
        int port = options.port + 100 * index;
        progress.accept(name);
        Map<String, String> settings = new HashMap<>(common);
        settings.put("PENSTOCK__ROUTER__NAME", name);
        settings.put("PENSTOCK__ROUTER__PORT", String.valueOf(port));
        settings.put("PENSTOCK__ROUTER__MANAGEMENTPORT", String.valueOf(port + 1));
        run(Service.start(name, options.config, settings, RouterWiring::start));
        routers.add(new StatusPage.Place(name, HOST + port, HOST + (port + 1)));
    }

    private void run(Service service) {
        closers.push(() -> service.stop(GRACE));
    }

    /** The replica file of simulated engines, or of those named by URL (their models are asked for). */
    private Path writeReplicas() throws IOException {
        StringBuilder yaml = new StringBuilder("replicas:\n");
        if (options.simulated()) {
            for (StatusPage.Place engine : engines) {
                yaml.append("  - {name: ")
                        .append(engine.name())
                        .append(", endpoint: \"")
                        .append(engine.url())
                        .append("\", models: [\"")
                        .append(options.model)
                        .append("\"], engine: vllm}\n");
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
