package dev.penstock.core.health;

import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes.ReplicaOutcomes;
import java.util.Map;

/**
 * What one incarnation of a router saw of one replica: its failure sum (a CUSUM, see {@link FailureOdds}) and its
 * quarantine. Sums of which nothing was heard for a minute are forgotten, and so is a quarantine after 15 s: its longest
 * wait is 12.5 s. One writer.
 */
final class RouterEvidence {
    static final double STALL_WEIGHT = 0.7;
    private static final long SUM_KEPT_NANOS = HealthRules.seconds(60);
    private static final long QUARANTINE_KEPT_NANOS = HealthRules.seconds(15);
    private static final long CONNECT_KEPT_NANOS = HealthRules.seconds(10);
    private static final long FLOW_GAP_NANOS = HealthRules.seconds(1);

    private final long incarnation;
    private double sum;
    private long heardNanos;
    private boolean quarantined;
    private boolean connectFailed;
    private long connectFailedNanos;
    private boolean everFlowed;
    private long flowedNanos;
    private long flowingSinceNanos;

    RouterEvidence(long incarnation) {
        this.incarnation = incarnation;
    }

    long incarnation() {
        return incarnation;
    }

    /** Successes and failures of one record have no order: their steps are added up first. */
    void add(ReplicaOutcomes seen, FailureOdds odds, long nowNanos) {
        double step = failureWeight(seen.counts()) * odds.failureStep() - okCount(seen) * odds.successStep();
        sum = Math.max(0, sum(nowNanos) + step);
        if (seen.flowing()) {
            if (!flowing(nowNanos)) flowingSinceNanos = nowNanos;
            everFlowed = true;
            flowedNanos = nowNanos;
        }
        quarantined = seen.quarantined();
        if (seen.connectFailures() > 0) {
            connectFailed = true;
            connectFailedNanos = nowNanos;
        } else if (okCount(seen) > 0) {
            connectFailed = false;
        }
        heardNanos = nowNanos;
    }

    double sum(long nowNanos) {
        return nowNanos - heardNanos > SUM_KEPT_NANOS ? 0 : sum;
    }

    boolean quarantined(long nowNanos) {
        return quarantined && nowNanos - heardNanos <= QUARANTINE_KEPT_NANOS;
    }

    /** Its own connects failed lately. */
    boolean connectFailed(long nowNanos) {
        return connectFailed && nowNanos - connectFailedNanos <= CONNECT_KEPT_NANOS;
    }

    /** True once per stretch of {@link HealthRules#FLOW_SUCCESS_NANOS} in which bytes came all the time. */
    boolean takeFlow(long nowNanos) {
        if (!flowing(nowNanos) || nowNanos - flowingSinceNanos < HealthRules.FLOW_SUCCESS_NANOS) return false;
        flowingSinceNanos = nowNanos;
        return true;
    }

    /** A router's event loops tell one after the other: a record without bytes does not end a flow. */
    private boolean flowing(long nowNanos) {
        return everFlowed && nowNanos - flowedNanos <= FLOW_GAP_NANOS;
    }

    boolean forgotten(long nowNanos) {
        return nowNanos - heardNanos > SUM_KEPT_NANOS;
    }

    static int okCount(ReplicaOutcomes seen) {
        return seen.counts().getOrDefault(Outcome.OK, 0);
    }

    static int failureCount(ReplicaOutcomes seen) {
        int failures = 0;
        for (Map.Entry<Outcome, Integer> each : seen.counts().entrySet()) {
            if (each.getKey().countsAgainstReplica()) failures += each.getValue();
        }
        return failures;
    }

    /** A stall may be the network's; a failure is not. */
    private static double failureWeight(Map<Outcome, Integer> counts) {
        double weight = 0;
        for (Map.Entry<Outcome, Integer> each : counts.entrySet()) {
            if (!each.getKey().countsAgainstReplica()) continue;
            weight += each.getValue() * (each.getKey() == Outcome.STALLED ? STALL_WEIGHT : 1);
        }
        return weight;
    }
}
