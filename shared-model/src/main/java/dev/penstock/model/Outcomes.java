package dev.penstock.model;

import java.util.List;
import java.util.Map;

/** What a router saw of its replicas since its last record. */
public record Outcomes(Header header, List<ReplicaOutcomes> replicas) {

    /**
     * Counts of one replica since the last record.
     *
     * @param connectFailures attempts that never reached the engine: evidence for quarantine only
     * @param ttft time to first token of streams
     * @param latency whole requests that ended {@code OK}
     * @param outputEvents stream events relayed, a stand-in for tokens
     * @param quarantined this router sends nothing there
     * @param flowing bytes came from it since the last record
     */
    public record ReplicaOutcomes(
            int number,
            Map<Outcome, Integer> counts,
            int connectFailures,
            DurationSketch ttft,
            DurationSketch latency,
            long outputEvents,
            boolean quarantined,
            boolean flowing) {}
}
