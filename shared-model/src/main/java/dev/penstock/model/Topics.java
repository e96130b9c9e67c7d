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

    /** Key: replica number. Written by the verdict owner, re-asserted each second. */
    public static final TopicSpec HEALTH = compacted("penstock.health");

    /** Key: model. Written by the policy owner, re-asserted each 5 s. */
    public static final TopicSpec POLICY = compacted("penstock.policy");

    /** Key: pool. Written by the advice owner each second. */
    public static final TopicSpec POOLS = compacted("penstock.pools");

    /** Key: router. */
    public static final TopicSpec DEMAND = stream("penstock.demand", 1, Duration.ofHours(1), 8 * MIB);

    /** Key: producer, a router or a collector. A reader that starts reads all of it: what is held is said again within 5 min. */
    public static final TopicSpec PREFIX = stream("penstock.prefix", 4, Duration.ofMinutes(10), 8 * MIB);

    /** Key: role. The offset of a claim is the epoch of what its writer publishes. */
    public static final TopicSpec CLAIMS = compacted("penstock.claims");

    /** Key: {@link RegistryRecord#key()}: each fact of a holder has its own, so that compaction loses none. */
    public static final TopicSpec ROUTERS = compacted("penstock.routers");

    public static final List<TopicSpec> ALL =
            List.of(ROSTER, TELEMETRY, INFLIGHT, OUTCOMES, HEALTH, POLICY, POOLS, DEMAND, PREFIX, CLAIMS, ROUTERS);

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
