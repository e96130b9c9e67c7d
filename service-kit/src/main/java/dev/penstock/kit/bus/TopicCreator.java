package dev.penstock.kit.bus;

import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics that are not there; those that are stay as they are. One thread. */
final class TopicCreator {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCreator.class);

    private final KafkaConfig kafka;
    private boolean saidSingle;
    private @Nullable String lastFailure;

    TopicCreator(KafkaConfig kafka) {
        this.kafka = kafka;
    }

    /** True when all are there. */
    boolean create(Admin admin, int brokers) throws InterruptedException {
        short replicas = replicas(brokers);
        List<NewTopic> wanted =
                Topics.ALL.stream().map(topic -> describe(topic, replicas)).toList();
        String failure = null;
        for (Map.Entry<String, KafkaFuture<Void>> topic :
                admin.createTopics(wanted).values().entrySet()) {
            String reason = failureOf(topic.getValue());
            if (reason != null) failure = topic.getKey() + ": " + reason;
        }
        if (failure != null && !failure.equals(lastFailure)) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, failure).log("topics cannot be created, will try again");
        }
        lastFailure = failure;
        return failure == null;
    }

    static NewTopic describe(TopicSpec topic, short replicas) {
        Map<String, String> settings = new HashMap<>();
        settings.put(
                TopicConfig.SEGMENT_MS_CONFIG, Long.toString(topic.segment().toMillis()));
        settings.put(TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(topic.segmentBytes()));
        settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, replicas >= 3 ? "2" : "1");
        switch (topic.kind()) {
            case TopicSpec.Kind.Compacted c -> {
                settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
                settings.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1");
                settings.put(TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, "60000");
            }
            case TopicSpec.Kind.Stream stream -> {
                settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
                settings.put(
                        TopicConfig.RETENTION_MS_CONFIG,
                        Long.toString(stream.retention().toMillis()));
            }
        }
        return new NewTopic(topic.name(), topic.partitions(), replicas).configs(settings);
    }

    private short replicas(int brokers) {
        if (brokers > 1 || kafka.replicationFactor() == 1) return kafka.replicationFactor();
        if (!saidSingle) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.OLD, kafka.replicationFactor())
                    .addKeyValue(LogKeys.NEW, 1)
                    .addKeyValue(LogKeys.REASON, "the cluster has a single broker")
                    .log("replication factor of new topics");
        }
        saidSingle = true;
        return 1;
    }

    private static @Nullable String failureOf(KafkaFuture<Void> creation) throws InterruptedException {
        try {
            creation.get(2, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause() instanceof TopicExistsException ? null : String.valueOf(e.getCause());
        } catch (TimeoutException e) {
            return "no answer";
        }
    }
}
