package dev.penstock.testkit.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisTest {
    @Test
    void answers_and_comes_back_empty_on_the_same_port() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start(0)) {
            String url = redis.url();
            try (RedisPing client = new RedisPing(url)) {
                assertThat(client.ask("PING")).isEqualTo("+PONG");
                assertThat(client.ask("SET a 1")).isEqualTo("+OK");

                redis.stop();

                assertThat(redis.isRunning()).isFalse();
                assertThatThrownBy(() -> new RedisPing(url)).isInstanceOf(ConnectException.class);
            }
            redis.start();
            try (RedisPing client = new RedisPing(url)) {
                assertThat(client.ask("EXISTS a")).isEqualTo(":0");
            }
        }
    }

    @Test
    void starts_on_the_port_it_is_given() {
        int port = FreePorts.one();
        try (EmbeddedRedis redis = EmbeddedRedis.start(port)) {
            assertThat(redis.url()).isEqualTo("redis://127.0.0.1:" + port);
        }
    }

    @Test
    void a_taken_port_fails_with_the_log_of_redis() throws Exception {
        try (ServerSocket taken = new ServerSocket(FreePorts.one(), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> EmbeddedRedis.start(taken.getLocalPort()))
                    .hasMessageContaining("Address already in use");
        }
    }

    @Test
    void the_process_ends_with_its_jvm() throws Exception {
        try (ChildJvm owner = ChildJvm.of(RedisOwnerMain.class)
                .jvmArgs("-Xmx64m", "-XX:TieredStopAtLevel=1")
                .start()) {
            String url = owner.awaitLine("redis://", Duration.ofSeconds(20));
            new RedisPing(url).close();

            owner.terminate(Duration.ofSeconds(20));

            assertThatThrownBy(() -> new RedisPing(url)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void the_process_ends_when_its_jvm_is_killed(@TempDir Path temp) throws Exception {
        // a killed JVM deletes nothing, so what it unpacks goes where the test deletes it
        try (ChildJvm owner = ChildJvm.of(RedisOwnerMain.class)
                .jvmArgs("-Xmx64m", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temp)
                .start()) {
            String url = owner.awaitLine("redis://", Duration.ofSeconds(20));

            owner.kill9();

            Await.until("Redis is gone", Duration.ofSeconds(10), () -> {
                assertThatThrownBy(() -> new RedisPing(url)).isInstanceOf(ConnectException.class);
                return true;
            });
        }
    }

    /** Starts a Redis and leaves it running. */
    static final class RedisOwnerMain {
        public static void main(String[] args) throws Exception {
            System.out.println(EmbeddedRedis.start(0).url());
            Thread.currentThread().join();
        }
    }
}
