package dev.penstock.localstack;

import dev.penstock.testkit.infra.EmbeddedKafka;
import dev.penstock.testkit.infra.EmbeddedRedis;
import dev.penstock.testkit.infra.TcpFaultProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** A real Kafka broker and a real Redis, each behind a proxy that can delay, freeze or refuse. */
final class StateServers implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int KAFKA_PORT = 9092;
    private static final int REDIS_PORT = 6379;

    final EmbeddedKafka kafka;
    final EmbeddedRedis redis;
    final TcpFaultProxy kafkaProxy;
    final TcpFaultProxy redisProxy;

    StateServers(Path data) throws Exception {
        kafkaProxy = TcpFaultProxy.start(freeOr(KAFKA_PORT), HOST, 1);
        kafka = EmbeddedKafka.start(data.resolve("kafka"), 0, HOST, kafkaProxy.port());
        kafkaProxy.retarget(HOST, kafka.port());
        redis = EmbeddedRedis.start(0);
        redisProxy = TcpFaultProxy.start(freeOr(REDIS_PORT), HOST, redis.port());
    }

    String bootstrapServers() {
        return HOST + ":" + kafkaProxy.port();
    }

    String redisUrl() {
        return "redis://" + HOST + ":" + redisProxy.port();
    }

    /** The usual port when it is free, else 0 (any). */
    private static int freeOr(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(HOST, port));
            return port;
        } catch (IOException taken) {
            return 0;
        }
    }

    @Override
    public void close() throws Exception {
        redisProxy.close();
        redis.close();
        kafkaProxy.close();
        kafka.close();
    }
}
