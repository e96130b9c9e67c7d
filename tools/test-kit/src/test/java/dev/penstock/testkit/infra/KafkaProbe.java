package dev.penstock.testkit.infra;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A producer and a consumer of one topic that keep their connections, with quick reconnects. */
final class KafkaProbe implements AutoCloseable {
    private static final TopicPartition PARTITION = new TopicPartition("probe", 0);

    private final KafkaProducer<String, String> producer;
    private final KafkaConsumer<String, String> consumer;
    private final List<String> received = new ArrayList<>();

    KafkaProbe(String bootstrapServers) {
        Map<String, Object> common = Map.of(
                "bootstrap.servers", bootstrapServers, "reconnect.backoff.ms", "20", "reconnect.backoff.max.ms", "100");
        producer = new KafkaProducer<>(
                with(common, Map.of("linger.ms", "0", "request.timeout.ms", "5000", "delivery.timeout.ms", "20000")),
                new StringSerializer(),
                new StringSerializer());
        consumer = new KafkaConsumer<>(common, new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(PARTITION));
        consumer.seekToBeginning(List.of(PARTITION));
    }

    static void createTopic(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    void send(String value) throws Exception {
        producer.send(new ProducerRecord<>(PARTITION.topic(), 0, null, value)).get(20, TimeUnit.SECONDS);
    }

    /** All values received so far, after another poll. */
    List<String> poll() {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> received.add(record.value()));
        return List.copyOf(received);
    }

    private static Map<String, Object> with(Map<String, Object> first, Map<String, Object> second) {
        var all = new HashMap<>(first);
        all.putAll(second);
        return all;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        consumer.close();
    }
}
