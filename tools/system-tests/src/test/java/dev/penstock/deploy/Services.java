package dev.penstock.deploy;

import dev.penstock.admission.config.AdmissionConfig;
import dev.penstock.advisor.config.AdvisorConfig;
import dev.penstock.collector.config.DiscoveryConfig;
import dev.penstock.collector.config.TelemetryConfig;
import dev.penstock.health.config.HealthConfig;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.DataConfig;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.router.config.RouterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The five services as the image's entry point names them, and what each reads of the configuration. */
enum Services {
    ROUTER("router", tree -> {
        RouterConfig config = RouterConfig.read(tree);
        DataConfig.read(tree);
        ModelConfig.readAll(tree);
        return new Listens(
                config.host(),
                List.of(config.port(), config.managementPort()),
                config.managementPort(),
                config.grace());
    }),
    HEALTH("health", tree -> {
        HealthConfig config = HealthConfig.read(tree);
        return new Listens(config.host(), List.of(config.managementPort()), config.managementPort());
    }),
    COLLECTOR("collector", tree -> {
        TelemetryConfig config = TelemetryConfig.read(tree);
        DiscoveryConfig.read(tree);
        return new Listens(config.host(), List.of(config.managementPort()), config.managementPort());
    }),
    ADMISSION("admission", tree -> {
        AdmissionConfig config = AdmissionConfig.read(tree);
        ModelConfig.readAll(tree);
        return new Listens(
                config.host(),
                List.of(config.managementPort(), config.restPort(), config.ledgerPort()),
                config.managementPort());
    }),
    ADVISOR("advisor", tree -> {
        AdvisorConfig config = AdvisorConfig.read(tree);
        ModelConfig.readAll(tree);
        return new Listens(
                config.host(),
                List.of(config.managementPort(), config.restPort(), config.grpcPort()),
                config.managementPort());
    });

    final String word;
    private final Function<ConfigTree, Listens> parts;

    /**
     * Where a service listens.
     *
     * @param grace how long it may take to stop
     */
    record Listens(String host, List<Integer> ports, int managementPort, Duration grace) {
        private static final Duration GRACE = Duration.ofSeconds(25);

        Listens(String host, List<Integer> ports, int managementPort) {
            this(host, ports, managementPort, GRACE);
        }
    }

    Services(String word, Function<ConfigTree, Listens> parts) {
        this.word = word;
        this.parts = parts;
    }

    static Services of(String word) {
        for (Services each : values()) {
            if (each.word.equals(word)) return each;
        }
        throw new AssertionError("'" + word + "' is none of the services");
    }

    static boolean has(String word) {
        return List.of(values()).stream().anyMatch(each -> each.word.equals(word));
    }

    /** Variables that the image or a service reads; of those with two underscores the configuration itself decides. */
    static boolean isVariable(String name) {
        return name.startsWith("PENSTOCK__") || name.equals("PENSTOCK_NAME") || name.equals("PENSTOCK_JAVA_OPTS");
    }

    /** Reads as the service does when it starts. */
    Listens read(Path yaml, Map<String, String> env) {
        ConfigTree tree = ConfigTree.load(yaml, env);
        Listens listens = parts.apply(tree);
        KafkaConfig.read(tree);
        RedisConfig.read(tree);
        SecurityConfig.read(tree);
        finish(word, tree);
        return listens;
    }

    /**
     * Reads all parts at once. A service leaves the parts of others alone, so this is what finds a wrong key for each of
     * them in the environment that all are given.
     */
    static void readAll(Path yaml, Map<String, String> env) {
        ConfigTree tree = ConfigTree.load(yaml, env);
        for (Services each : values()) each.parts.apply(tree);
        KafkaConfig.read(tree);
        RedisConfig.read(tree);
        SecurityConfig.read(tree);
        finish("one of the services", tree);
    }

    /** Where the collector looks for its replicas. */
    static Path replicaFile(Path yaml, Map<String, String> env) {
        return DiscoveryConfig.read(ConfigTree.load(yaml, env)).file();
    }

    private static void finish(String who, ConfigTree tree) {
        try {
            tree.finish();
        } catch (ConfigException e) {
            List<String> problems = new ArrayList<>();
            e.problems().forEach(problem -> problems.add(problem.toString()));
            throw new AssertionError(who + " would not start: " + String.join("; ", problems), e);
        }
    }
}
