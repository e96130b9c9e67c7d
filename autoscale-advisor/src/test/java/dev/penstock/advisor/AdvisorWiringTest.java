package dev.penstock.advisor;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.management.PortTakenException;
import dev.penstock.kit.run.ServiceContext;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdvisorWiringTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws Exception {
        Served.join(vertx.close());
    }

    @Test
    void a_wrong_configuration_starts_nothing() {
        assertThatThrownBy(() -> start("advisor: {restPorts: 1}")).hasCauseInstanceOf(ConfigException.class);
    }

    @Test
    void a_taken_port_is_named_with_its_key() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> start("advisor: {managementPort: 0, restPort: 0, grpcPort: " + port + "}"))
                    .hasCauseInstanceOf(PortTakenException.class)
                    .hasMessageContaining("advisor.grpcPort");
            assertThatThrownBy(() -> start("advisor: {managementPort: 0, grpcPort: 0, restPort: " + port + "}"))
                    .hasCauseInstanceOf(PortTakenException.class)
                    .hasMessageContaining("advisor.restPort");
        }
    }

    private void start(String advisor) throws Exception {
        String config = "kafka: {bootstrapServers: \"127.0.0.1:1\", replicationFactor: 1}\n"
                + "redis: {url: \"redis://127.0.0.1:1\"}\n" + advisor;
        Served.join(AdvisorWiring.start(new ServiceContext(
                vertx,
                ConfigTree.of(config),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                Incarnation.fresh("advisor"))));
    }
}
