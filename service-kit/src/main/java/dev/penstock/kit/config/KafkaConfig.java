package dev.penstock.kit.config;

/** The {@code kafka} part. */
public record KafkaConfig(String bootstrapServers, short replicationFactor) {
    public static KafkaConfig read(ConfigTree config) {
        ConfigSection kafka = config.section("kafka");
        return new KafkaConfig(kafka.string("bootstrapServers", "127.0.0.1:9092"), (short)
                kafka.integer("replicationFactor", 3, 1, 100));
    }
}
