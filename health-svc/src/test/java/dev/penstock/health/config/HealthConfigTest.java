package dev.penstock.health.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.core.health.HealthRules;
import dev.penstock.kit.config.ConfigTree;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HealthConfigTest {
    @Test
    void defaults_are_pinned() throws Exception {
        ConfigTree tree = ConfigTree.of("");
        HealthConfig config = HealthConfig.read(tree);
        tree.finish();

        assertThat(config)
                .isEqualTo(new HealthConfig("127.0.0.1", 8082, 0.5, Duration.ofSeconds(5), Duration.ofSeconds(300)));
        assertThat(config.rules()).isEqualTo(HealthRules.DEFAULT);
    }

    @Test
    void values_are_read() throws Exception {
        ConfigTree tree = ConfigTree.of(
                "health: {host: 0.0.0.0, managementPort: 0, panicBelow: 30%, ejectionBase: 1s, ejectionMax: 2m}");
        HealthConfig config = HealthConfig.read(tree);
        tree.finish();

        assertThat(config).isEqualTo(new HealthConfig("0.0.0.0", 0, 0.3, Duration.ofSeconds(1), Duration.ofMinutes(2)));
    }

    @Test
    void what_makes_no_sense_is_refused() {
        ConfigTree tree = ConfigTree.of("health: {ejectionBase: 10s, ejectionMax: 5s, probes: 3}");
        HealthConfig.read(tree);

        assertThatThrownBy(tree::finish)
                .hasMessageContaining("health.ejectionMax")
                .hasMessageContaining("health.ejectionBase to 1h")
                .hasMessageContaining("health.probes");
    }

    @Test
    void a_base_of_nothing_is_refused() {
        ConfigTree tree = ConfigTree.of("health: {ejectionBase: 1ms}");
        HealthConfig.read(tree);

        assertThatThrownBy(tree::finish).hasMessageContaining("100ms to 1h");
    }
}
