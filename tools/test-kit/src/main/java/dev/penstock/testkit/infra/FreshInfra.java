package dev.penstock.testkit.infra;

import dev.penstock.testkit.FreePorts;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka and a Redis of a test's own, embedded, in an own temporary directory, each behind a {@link TcpFaultProxy}:
 * empty at the start, free to be broken, gone at the end.
 */
public final class FreshInfra implements AutoCloseable {
    private final Path directory = TempDirs.create("infra");
    private @Nullable EmbeddedKafka kafka;
    private @Nullable EmbeddedRedis redis;
    private @Nullable TcpFaultProxy kafkaProxy;
    private @Nullable TcpFaultProxy redisProxy;

    private FreshInfra() {}

    public static FreshInfra start() {
        FreshInfra infra = new FreshInfra();
        try {
            infra.startAll();
            return infra;
        } catch (Throwable failure) {
            infra.close();
            throw failure;
        }
    }

    /** Through the proxy. */
    public String bootstrapServers() {
        return kafkaProxy().address();
    }

    /** Through the proxy. */
    public String redisUrl() {
        return "redis://" + redisProxy().address();
    }

    public TcpFaultProxy kafkaProxy() {
        return started(kafkaProxy);
    }

    public TcpFaultProxy redisProxy() {
        return started(redisProxy);
    }

    /** The broker itself, behind its proxy. */
    public EmbeddedKafka kafka() {
        return started(kafka);
    }

    /** The Redis itself; its {@code url()} goes around the proxy. */
    public EmbeddedRedis redis() {
        return started(redis);
    }

    public void stopKafka() {
        kafka().stop();
    }

    public void startKafka() {
        kafka().start();
    }

    public void stopRedis() {
        redis().stop();
    }

    public void startRedis() {
        redis().start();
    }

    @Override
    public void close() {
        if (kafkaProxy != null) kafkaProxy.close();
        if (redisProxy != null) redisProxy.close();
        if (redis != null) redis.close();
        if (kafka != null) kafka.close();
        TempDirs.delete(directory);
    }

    private void startAll() {
        redis = EmbeddedRedis.start(0);
        redisProxy = TcpFaultProxy.start(0, "127.0.0.1", redis.port());
        int proxyPort = FreePorts.one();
        kafka = EmbeddedKafka.start(directory.resolve("kafka"), 0, "127.0.0.1", proxyPort);
        kafkaProxy = TcpFaultProxy.start(proxyPort, "127.0.0.1", kafka.port());
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) throw new IllegalStateException("not started");
        return part;
    }
}
