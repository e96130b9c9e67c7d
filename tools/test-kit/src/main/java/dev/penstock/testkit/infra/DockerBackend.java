package dev.penstock.testkit.infra;

import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Testcontainers. Where nothing can be pulled, set TESTCONTAINERS_RYUK_DISABLED=true; where a /.dockerenv exists, also
 * TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1, else it pulls an image to find its gateway. Guarded by its owner,
 * {@link RealInfra}.
 */
final class DockerBackend implements InfraBackend {
    private static final int REDIS_PORT = 6379;
    private static final String LABEL = "dev.penstock.test";

    private final InfraChoice.Images images;
    private @Nullable KafkaContainer kafka;
    private @Nullable GenericContainer<?> redis;

    DockerBackend(InfraChoice.Images images) {
        this.images = images;
    }

    @Override
    public String startKafka() {
        DockerImageName image = DockerImageName.parse(images.kafka()).asCompatibleSubstituteFor("apache/kafka");
        KafkaContainer container = new KafkaContainer(image)
                .withLabel(LABEL, "kafka")
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .withEnv("KAFKA_LOG_RETENTION_CHECK_INTERVAL_MS", "30000");
        // Not by a line of its log, which a broker without a logger never writes; clients retry anyway.
        container.waitingFor(Wait.forListeningPort());
        kafka = container;
        container.start();
        return container.getBootstrapServers();
    }

    @Override
    public String startRedis() {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(images.redis()))
                .withLabel(LABEL, "redis")
                .withExposedPorts(REDIS_PORT)
                .withCommand("redis-server", "--save", "", "--appendonly", "no", "--protected-mode", "no");
        redis = container;
        container.start();
        return "redis://" + container.getHost() + ":" + container.getMappedPort(REDIS_PORT);
    }

    @Override
    public void close() {
        if (redis != null) redis.close();
        if (kafka != null) kafka.close();
    }
}
