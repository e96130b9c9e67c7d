package dev.penstock.model;

import java.util.BitSet;
import java.util.List;

/**
 * What a collector sends for one shard: the samples that changed, and one bit per replica that was sampled again
 * unchanged, so that silence is never mistaken for calm.
 *
 * @param full all samples of the shard are in it (once a second, and after a restart)
 * @param sampledUnchanged positions in the shard ({@link Shards#position}) sampled since the last frame, unchanged
 * @param unchangedAgeMicros age at sending of the oldest sample that a set bit stands for
 */
public record TelemetryFrame(
        Header header,
        int shard,
        boolean full,
        BitSet sampledUnchanged,
        long unchangedAgeMicros,
        List<Sample> samples) {}
