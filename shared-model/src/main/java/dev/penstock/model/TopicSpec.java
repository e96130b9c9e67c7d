package dev.penstock.model;

import java.time.Duration;

/**
 * A Kafka topic as Penstock creates it. Retention does nothing without a segment limit (only closed segments are
 * deleted), hence both.
 *
 * @param partitions fixed for the life of the topic
 */
public record TopicSpec(String name, int partitions, Kind kind, Duration segment, int segmentBytes) {

    /** Read from the beginning (facts), or from the end (streams). */
    public sealed interface Kind {
        /** The last record per key is kept; readers start at the beginning. */
        record Compacted() implements Kind {}

        /** Records are dropped after the retention; readers start at the end. */
        record Stream(Duration retention) implements Kind {}
    }

    public boolean compacted() {
        return switch (kind) {
            case Kind.Compacted c -> true;
            case Kind.Stream s -> false;
        };
    }
}
