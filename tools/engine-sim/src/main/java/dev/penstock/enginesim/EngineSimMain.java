package dev.penstock.enginesim;

import dev.penstock.enginesim.kvevents.KvEventOptions;
import dev.penstock.enginesim.metrics.MetricDialect;
import dev.penstock.enginesim.step.Profile;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.BindException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Engines as a process of their own: prints a line for each when it is ready, and runs until it is killed. */
@Command(
        name = "engine-sim",
        description = "Simulated vLLM and SGLang engines: no GPU needed.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class EngineSimMain implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_WRONG_USE = 2;
    private static final int EXIT_ENVIRONMENT = 3;

    @Option(names = "--engines", description = "How many (default: ${DEFAULT-VALUE}).")
    private int engines = 1;

    @Option(
            names = "--port",
            description = "Port of engine-0, the others follow; 0 = any free ones (default: 20000). A taken port is"
                    + " an error for one engine with this option, otherwise a free one replaces it.")
    private @Nullable Integer port;

    @Option(names = "--host", description = "Address to bind (default: ${DEFAULT-VALUE}).")
    private String host = "127.0.0.1";

    @Option(names = "--model", split = ",", description = "Served names (default: ${DEFAULT-VALUE}).")
    private List<String> models = List.of(EngineFleetOptions.DEFAULT_MODEL);

    @Option(
            names = "--profile",
            description = "Engine and GPU: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
            completionCandidates = ProfileNames.class)
    private String profile = Profile.FAST.name();

    @Option(names = "--max-num-seqs", description = "Sequences that may run at once (default: the profile's).")
    private @Nullable Integer maxNumSeqs;

    @Option(names = "--seed", description = "Of jitter and text (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--control-port", description = "Controls all engines; 0 = none (default: ${DEFAULT-VALUE}).")
    private int controlPort = EngineFleetOptions.NO_CONTROL;

    @Option(
            names = "--metrics-names",
            description = "new, or old: before the renames of 2025 (default: ${DEFAULT-VALUE}).")
    private String metricNames = MetricDialect.NEW.option();

    @Option(
            names = "--name-filter",
            description = "on, or off: /metrics/?name[]= gets an empty page (default: ${DEFAULT-VALUE}).")
    private String nameFilter = "on";

    @Option(
            names = "--engine-kind",
            description = "vllm, sglang, or mixed: even numbers vllm, odd ones sglang (default: ${DEFAULT-VALUE}).")
    private String kind = EngineKind.VLLM.option();

    @Option(names = "--enable-prompt-tokens-details", description = "Usage tells how many prompt tokens were cached.")
    private boolean promptDetails;

    @Option(
            names = "--enable-metrics",
            arity = "1",
            description = "on, or off: SGLang engines have no metrics page (default: ${DEFAULT-VALUE}).")
    private String sglangMetrics = "on";

    @Option(
            names = {"--ranks", "--data-parallel-size"},
            description = "Schedulers of each engine behind its one port (default: ${DEFAULT-VALUE}).")
    private int ranks = 1;

    @Option(
            names = "--kv-events",
            paramLabel = "PORT_BASE",
            description =
                    "Engine i publishes what its cache holds at this port + 2 i and tells it again at the next one;"
                            + " 0 = any free ones (default: not at all).")
    private @Nullable Integer kvEventsPort;

    @Option(
            names = "--kv-events-format",
            description = "array, or map: as vLLM since 2026; SGLang: array only (default: ${DEFAULT-VALUE}).")
    private String kvEventsFormat = "array";

    @Option(
            names = "--kv-events-hashes",
            description =
                    "bytes: 32 of them, or int: the last 8 as a number; SGLang: int only (default: ${DEFAULT-VALUE}).")
    private String kvEventsHashes = "bytes";

    @Option(names = "--video-millis", description = "How long a video of /v1/videos takes (default: ${DEFAULT-VALUE}).")
    private long videoMillis = EngineFleetOptions.DEFAULT_VIDEO_MILLIS;

    static final class ProfileNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Profile.names().iterator();
        }
    }

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new EngineSimMain()).setExecutionExceptionHandler((failure, command, _) -> {
            command.getErr().println("engine-sim: " + failure.getMessage());
            return exitCode(failure);
        });
    }

    @Override
    public Integer call() throws Exception {
        EngineFleetOptions options = options();
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        EngineFleet fleet;
        try {
            fleet = EngineFleet.start(
                            vertx, options, FleetLayout.of(options.profile()).withRanks(ranks))
                    .await();
        } catch (Exception e) {
            vertx.close().await();
            throw e;
        }
        fleet.engines().forEach(engine -> System.out.println(engine.name() + " ready at " + engine.endpoint()));
        for (EngineSim engine : fleet.engines()) {
            if (engine.kvEvents() != null) {
                System.out.println(
                        engine.name() + " KV events at " + engine.kvEvents() + ", again at " + engine.kvReplay());
            }
        }
        if (options.controlPort() != EngineFleetOptions.NO_CONTROL) {
            System.out.println("control at http://" + host + ":" + options.controlPort() + "/engines");
        }
        new CountDownLatch(1).await();
        return 0;
    }

    private EngineFleetOptions options() {
        if (ranks > 1 && kvEventsPort != null) {
            throw new IllegalArgumentException("--kv-events: expected engines of one rank, got --ranks " + ranks);
        }
        Profile chosen = Profile.named(profile);
        return new EngineFleetOptions(
                engines,
                host,
                port == null ? EngineFleetOptions.DEFAULT_BASE_PORT : port,
                port != null && engines == 1,
                models,
                maxNumSeqs == null ? chosen : chosen.withMaxNumSeqs(maxNumSeqs),
                seed,
                dialect(),
                onOff("--name-filter", nameFilter),
                controlPort,
                EngineKind.named(kind),
                promptDetails,
                onOff("--enable-metrics", sglangMetrics),
                kvEventsPort == null ? null : KvEventOptions.of(kvEventsPort, kvEventsFormat, kvEventsHashes),
                videoMillis);
    }

    private MetricDialect dialect() {
        return Arrays.stream(MetricDialect.values())
                .filter(dialect -> dialect.option().equals(metricNames))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--metrics-names: expected new or old, got '" + metricNames + "'"));
    }

    private static boolean onOff(String option, String value) {
        return switch (value) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException(option + ": expected on or off, got '" + value + "'");
        };
    }

    private static int exitCode(Exception failure) {
        return switch (failure) {
            case IllegalArgumentException _ -> EXIT_WRONG_USE;
            case PortTakenException _, BindException _ -> EXIT_ENVIRONMENT;
            default -> EXIT_FAILED;
        };
    }
}
