package dev.penstock.testkit.infra;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Guarded by its owner, {@link RealInfra}. */
final class EmbeddedBackend implements InfraBackend {
    private @Nullable Path kafkaDir;
    private @Nullable EmbeddedKafka kafka;
    private @Nullable EmbeddedRedis redis;

    @Override
    public String startKafka() {
        kafkaDir = TempDirs.create("kafka");
        kafka = EmbeddedKafka.start(kafkaDir, 0);
        return kafka.bootstrapServers();
    }

    @Override
    public String startRedis() {
        redis = EmbeddedRedis.start(0);
        return redis.url();
    }

    @Override
    public void close() {
        if (redis != null) redis.close();
        if (kafka != null) kafka.close();
        if (kafkaDir != null) TempDirs.delete(kafkaDir);
    }
}
