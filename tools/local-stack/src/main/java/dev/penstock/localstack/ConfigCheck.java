package dev.penstock.localstack;

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
import dev.penstock.kit.config.Problem;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.router.config.RouterConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code penstock config check}: a configuration as all services would read it, without starting one. */
public final class ConfigCheck {
    private ConfigCheck() {}

    /** Every problem: path, value and expectation. */
    public static List<String> problems(Path file, Map<String, String> environment) {
        ConfigTree tree = ConfigTree.load(file, environment);
        KafkaConfig.read(tree);
        RedisConfig.read(tree);
        SecurityConfig.read(tree);
        DataConfig.read(tree);
        DiscoveryConfig.read(tree);
        TelemetryConfig.read(tree);
        HealthConfig.read(tree);
        AdmissionConfig.read(tree);
        RouterConfig.read(tree);
        AdvisorConfig.read(tree);
        ModelConfig.readAll(tree);
        try {
            tree.finish();
            return List.of();
        } catch (ConfigException e) {
            return e.problems().stream().map(Problem::toString).toList();
        }
    }
}
