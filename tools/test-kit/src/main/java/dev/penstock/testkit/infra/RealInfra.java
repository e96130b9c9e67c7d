package dev.penstock.testkit.infra;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Kafka and one Redis per JVM, each started when first asked for and closed when the JVM exits. Topic names are fixed
 * in Penstock, so tests that need their own topics, or that break something, take a {@link FreshInfra}. Any thread may
 * call.
 */
public final class RealInfra {
    private static final Logger LOG = LoggerFactory.getLogger(RealInfra.class);

    private final InfraChoice choice;
    private final InfraBackend backend;
    private @Nullable String bootstrapServers;
    private @Nullable String redisUrl;

    private RealInfra(InfraChoice choice) {
        this.choice = choice;
        this.backend = switch (choice.kind()) {
            case EMBEDDED -> new EmbeddedBackend();
            case DOCKER -> new DockerBackend(choice.images());
        };
    }

    public static RealInfra shared() {
        return Shared.INSTANCE;
    }

    public InfraChoice choice() {
        return choice;
    }

    public synchronized String bootstrapServers() {
        if (bootstrapServers == null) bootstrapServers = backend.startKafka();
        return bootstrapServers;
    }

    public synchronized String redisUrl() {
        if (redisUrl == null) redisUrl = backend.startRedis();
        return redisUrl;
    }

    private synchronized void close() {
        backend.close();
    }

    private static RealInfra open() {
        InfraChoice choice = InfraChoice.fromEnvironment();
        LOG.info("tests run on {} Kafka and Redis: {}", choice.kind(), choice.reason());
        RealInfra infra = new RealInfra(choice);
        Runtime.getRuntime().addShutdownHook(new Thread(infra::close, "real-infra-close"));
        return infra;
    }

    private static final class Shared {
        static final RealInfra INSTANCE = open();
    }
}
