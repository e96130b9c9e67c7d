package dev.penstock.testkit.infra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RealInfraExtension.class)
class RealInfraTest {
    @Test
    void is_one_per_jvm_and_answers(RealInfra infra) throws Exception {
        assertThat(infra).isSameAs(RealInfra.shared());
        assertThat(infra.bootstrapServers()).isEqualTo(infra.bootstrapServers());
        KafkaProbe.createTopic(infra.bootstrapServers());
        try (RedisPing client = new RedisPing(infra.redisUrl())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
        }
    }
}
