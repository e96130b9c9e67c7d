package dev.penstock.kit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelConfigTest {
    @Test
    void an_entry_with_a_name_only_has_the_defaults_of_the_contract() throws ConfigException {
        ConfigTree config = ConfigTree.of("models: [{name: org/m}]");

        List<ModelConfig> models = ModelConfig.readAll(config);

        config.finish();
        assertThat(models).containsExactly(ModelConfig.ofDefaults("org/m"));
        assertThat(config.effective().at("/models/0/slowStart").asText()).isEqualTo("30s");
        assertThat(config.effective().at("/models/0/retry/budget").asText()).isEqualTo("10%");
        assertThat(config.effective().at("/models/0/maxInflightPerReplica").asText())
                .isEqualTo("auto");
    }

    @Test
    void what_is_set_is_read() throws ConfigException {
        ConfigTree config = ConfigTree.of("""
            models:
              - name: org/m
                aliases: [m, fast]
                strategy: least-request
                requestsPerSecondPerReplica: 2.5
                scaling: {targetConcurrency: 16, min: 0, max: 8, upWindow: 30s, downWindow: 10m}
            """);

        ModelConfig model = ModelConfig.readAll(config).getFirst();

        config.finish();
        assertThat(model.aliases()).containsExactly("m", "fast");
        assertThat(model.strategy()).isEqualTo(ModelConfig.Strategy.LEAST_REQUEST);
        assertThat(model.requestsPerSecondPerReplica()).isEqualTo(2.5);
        assertThat(model.scaling())
                .isEqualTo(new ModelConfig.ScalingConfig(16, 0, 8, Duration.ofSeconds(30), Duration.ofMinutes(10)));
    }

    @Test
    void a_promise_that_is_not_kept_is_refused_and_wrong_values_are_named() {
        ConfigTree config = ConfigTree.of("""
            models:
              - {name: a, aliases: [b], maxInflightPerReplica: 24, strategy: fastest}
              - {name: b, requestsPerSecondPerReplica: -1, scaling: {min: 5, max: 2}, prefix: {mode: magic}}
              - {aliases: [c], retry: {on: [500], budget: lots}, surprise: 1}
            """);
        ModelConfig.readAll(config);

        ConfigException wrong = catchThrowableOfType(ConfigException.class, config::finish);

        assertThat(wrong.problems())
                .extracting(Problem::path)
                .contains(
                        "models[0].maxInflightPerReplica",
                        "models[0].strategy",
                        "models[1].name",
                        "models[1].requestsPerSecondPerReplica",
                        "models[1].scaling.max",
                        "models[1].prefix.mode",
                        "models[2].name",
                        "models[2].retry.on",
                        "models[2].retry.budget",
                        "models[2].surprise");
    }
}
