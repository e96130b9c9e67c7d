package dev.penstock.testkit.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.Await;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FreshInfraTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static FreshInfra infra;

    @BeforeAll
    static void start() throws Exception {
        infra = FreshInfra.start();
        KafkaProbe.createTopic(infra.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        infra.close();
    }

    @Test
    void a_client_of_kafka_survives_every_fault() throws Exception {
        try (KafkaProbe probe = new KafkaProbe(infra.bootstrapServers())) {
            probe.send("1");
            infra.kafkaProxy().dropAll();
            probe.send("2");
            infra.kafkaProxy().refuse();
            infra.kafkaProxy().pass();
            probe.send("3");
            infra.stopKafka();
            infra.startKafka();
            probe.send("4");

            Await.value("all four", PATIENCE, probe::poll, List.of("1", "2", "3", "4")::equals);
        }
    }

    @Test
    void redis_is_broken_and_mended_behind_its_proxy() throws Exception {
        try (RedisPing client = new RedisPing(infra.redisUrl())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            infra.redisProxy().freeze();
            client.timeout(150);
            assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(SocketTimeoutException.class);
            infra.redisProxy().pass();
        }
        infra.stopRedis();
        try (RedisPing client = new RedisPing(infra.redisUrl())) {
            assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(SocketException.class);
        }
        infra.startRedis();
        try (RedisPing client = new RedisPing(infra.redisUrl())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
        }
    }
}
