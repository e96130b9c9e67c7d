package dev.penstock.model;

import java.time.Duration;
import java.util.List;

/** Every topic: the one place where names, partitions and retention are written. */
public final class Topics {
    private static final int MIB = 1 << 20;

    /** Key: replica name. Written by the roster owner, re-asserted each 30 s. */
    public static final TopicSpec ROSTER = compacted("penstock.roster");

    /** Key: shard; the partition is the shard. */
    public static final TopicSpec TELEMETRY =
            stream("penstock.telemetry", Shards.COUNT, Duration.ofMinutes(10), 8 * MIB);

    /** Key: router. */
    public static final TopicSpec INFLIGHT = stream("penstock.inflight", 1, Duration.ofSeconds(60), 4 * MIB);

    /** Key: router. */
    public static final TopicSpec OUTCOMES = stream("penstock.outcomes", 4, Duration.ofMinutes(10), 8 * MIB);

    public static final List<TopicSpec> ALL = List.of(ROSTER, TELEMETRY, INFLIGHT, OUTCOMES);

    private Topics() {}

    private static TopicSpec compacted(String name) {
        return new TopicSpec(name, 1, new TopicSpec.Kind.Compacted(), Duration.ofMinutes(1), MIB);
    }

    private static TopicSpec stream(String name, int partitions, Duration retention, int segmentBytes) {
        Duration segment =
                retention.compareTo(Duration.ofMinutes(1)) > 0 ? Duration.ofMinutes(1) : Duration.ofSeconds(30);
        return new TopicSpec(name, partitions, new TopicSpec.Kind.Stream(retention), segment, segmentBytes);
    }
}
