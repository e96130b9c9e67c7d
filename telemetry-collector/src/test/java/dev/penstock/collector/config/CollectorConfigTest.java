package dev.penstock.collector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.config.ConfigTree;
import dev.penstock.model.EngineKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorConfigTest {
    @Test
    void defaults() throws Exception {
        ConfigTree tree = ConfigTree.of("");

        TelemetryConfig telemetry = TelemetryConfig.read(tree);
        DiscoveryConfig discovery = DiscoveryConfig.read(tree);
        tree.finish();

        assertThat(telemetry)
                .isEqualTo(new TelemetryConfig("127.0.0.1", 8083, Duration.ofMillis(50), Duration.ofSeconds(1)));
        assertThat(discovery)
                .isEqualTo(new DiscoveryConfig(DiscoveryConfig.Source.FILE, Path.of("replicas.yaml"), List.of()));
    }

    @Test
    void replicas_stand_in_the_configuration() throws Exception {
        ConfigTree tree = ConfigTree.of("""
            discovery:
              source: static
              replicas:
                - {name: a, endpoint: "http://127.0.0.1:1/", models: [m], engine: vllm, maxInflight: 8}
            """);

        DiscoveryConfig discovery = DiscoveryConfig.read(tree);
        tree.finish();

        var replica = discovery.replicas().getFirst();
        assertThat(replica.endpoint()).isEqualTo("http://127.0.0.1:1");
        assertThat(replica.engine()).isEqualTo(EngineKind.VLLM);
        assertThat(replica.maxInflight()).isEqualTo(8);
    }

    @Test
    void every_problem_is_reported() {
        ConfigTree tree = ConfigTree.of("""
            telemetry: {interval: 1ms}
            discovery:
              source: static
              replicas:
                - {name: a, endpoint: "ftp://x", engine: tgi}
                - {name: a, endpoint: "http://x:1", weight: 3}
            """);

        TelemetryConfig.read(tree);
        DiscoveryConfig.read(tree);

        assertThatThrownBy(tree::finish)
                .hasMessageContaining("telemetry.interval")
                .hasMessageContaining("discovery.replicas[0].endpoint")
                .hasMessageContaining("discovery.replicas[0].engine")
                .hasMessageContaining("discovery.replicas[1].name")
                .hasMessageContaining("discovery.replicas[1].weight");
    }
}
