package dev.penstock.testkit.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path dir;

    @Test
    void keeps_its_data_over_a_restart_and_old_clients_recover() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("k"), 0)) {
            String servers = kafka.bootstrapServers();
            KafkaProbe.createTopic(servers);
            try (KafkaProbe old = new KafkaProbe(servers)) {
                old.send("before");
                Await.value("the first record", PATIENCE, old::poll, List.of("before")::equals);
                String identity = Files.readString(dir.resolve("k/meta.properties"));

                kafka.stop();
                assertThat(kafka.isRunning()).isFalse();
                long start = System.nanoTime();
                kafka.start();
                assertThat(System.nanoTime() - start).as("restart, ns").isLessThan(5_000_000_000L);

                assertThat(kafka.bootstrapServers()).isEqualTo(servers);
                assertThat(Files.readString(dir.resolve("k/meta.properties"))).isEqualTo(identity);
                old.send("after");
                Await.value("both records, once", PATIENCE, old::poll, List.of("before", "after")::equals);
                try (KafkaProbe fresh = new KafkaProbe(servers)) {
                    Await.value("both records, from disk", PATIENCE, fresh::poll, List.of("before", "after")::equals);
                }
            }
        }
    }

    @Test
    void a_new_broker_opens_an_old_directory() throws Exception {
        int port = FreePorts.one();
        try (EmbeddedKafka first = EmbeddedKafka.start(dir, port)) {
            KafkaProbe.createTopic(first.bootstrapServers());
            try (KafkaProbe probe = new KafkaProbe(first.bootstrapServers())) {
                probe.send("kept");
            }
        }
        try (EmbeddedKafka second = EmbeddedKafka.start(dir, port);
                KafkaProbe probe = new KafkaProbe(second.bootstrapServers())) {
            Await.value("the old record", PATIENCE, probe::poll, List.of("kept")::equals);
        }
    }

    @Test
    void clients_are_sent_to_the_advertised_address() throws Exception {
        int advertised = FreePorts.one();
        try (EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0, "127.0.0.1", advertised);
                TcpFaultProxy proxy = TcpFaultProxy.start(advertised, "127.0.0.1", kafka.port())) {
            assertThat(kafka.bootstrapServers()).isEqualTo(proxy.address());
            // bootstrapped around the proxy, yet the metadata leads through it
            KafkaProbe.createTopic("127.0.0.1:" + kafka.port());
            try (KafkaProbe probe = new KafkaProbe("127.0.0.1:" + kafka.port())) {
                probe.send("via the proxy");
                assertThat(proxy.connections()).isPositive();
            }
        }
    }

    @Test
    void a_taken_controller_port_is_replaced() throws Exception {
        try (ServerSocket taken = listener()) {
            AtomicInteger draws = new AtomicInteger();
            try (EmbeddedKafka kafka = EmbeddedKafka.start(
                    dir, 0, null, () -> draws.getAndIncrement() == 0 ? taken.getLocalPort() : FreePorts.one())) {
                assertThat(draws).hasValue(2);
                KafkaProbe.createTopic(kafka.bootstrapServers());
            }
        }
    }

    @Test
    void a_fixed_port_that_is_taken_fails() throws Exception {
        try (ServerSocket taken = listener()) {
            assertThatThrownBy(() -> EmbeddedKafka.start(dir, taken.getLocalPort()))
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasRootCauseInstanceOf(BindException.class);
        }
    }

    private static ServerSocket listener() throws Exception {
        return new ServerSocket(FreePorts.one(), 1, InetAddress.getByName("127.0.0.1"));
    }
}
