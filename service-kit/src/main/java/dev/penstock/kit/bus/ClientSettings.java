package dev.penstock.kit.bus;

import dev.penstock.kit.config.KafkaConfig;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The settings of the Kafka clients, side by side: what waits how long is decided here. */
final class ClientSettings {
    private ClientSettings() {}

    /** Late stream data is worthless: given up after half a second. */
    static Map<String, Object> streams(KafkaConfig kafka, Incarnation self) {
        Map<String, Object> settings = common(kafka, self, "streams");
        settings.put(ProducerConfig.ACKS_CONFIG, "1");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 1);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 400);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 500);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 100);
        return settings;
    }

    /** A fact is told at once, retried for half a minute, and its failure is told to whoever published it. */
    static Map<String, Object> facts(KafkaConfig kafka, Incarnation self) {
        Map<String, Object> settings = common(kafka, self, "facts");
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 3_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000);
        return settings;
    }

    /** No group; positions are ours, and one that is out of range is not guessed at. */
    static Map<String, Object> consumer(KafkaConfig kafka, Incarnation self) {
        Map<String, Object> settings = common(kafka, self, "reader");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 3_000);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 3_000);
        return settings;
    }

    /**
     * For topics that many write small records to: what comes within 40 ms is fetched together. With a fetch per record an idle
     * router before eight replicas took a tenth of a core.
     */
    static Map<String, Object> together(Map<String, Object> consumer) {
        Map<String, Object> settings = new HashMap<>(consumer);
        settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1 << 20);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 40);
        return settings;
    }

    static Map<String, Object> admin(KafkaConfig kafka, Incarnation self) {
        Map<String, Object> settings = common(kafka, self, "monitor");
        settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 1_000);
        settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, 1_000);
        return settings;
    }

    private static Map<String, Object> common(KafkaConfig kafka, Incarnation self, String part) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, self.name() + "-" + part);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 50);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        settings.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, 50);
        settings.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, 500);
        settings.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 1_000);
        settings.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, 2_000);
        // pushes client metrics to brokers that ask for them; Penstock has its own
        settings.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        return settings;
    }
}
