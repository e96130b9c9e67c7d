package dev.penstock.core.health;

import dev.penstock.model.Freshness;

/** What telemetry says of one replica: how old its last sample is, and whether its heartbeat moves. One writer. */
final class TelemetryEvidence {
    /** The flag of a sample whose engine sleeps: requests may crash it. */
    private static final int SLEEPING = 1;

    private boolean seen;
    private long toldBy;
    private boolean inOrder;
    private long sampledNanos;
    private long intervalNanos;
    private long heartbeat;
    private boolean everMoved;
    private long movedNanos;
    private boolean sleeping;

    /**
     * Collectors may overlap: the youngest sample wins. Of one collector that is its later one, although the times of its first
     * records are too late by what was not yet known of their way.
     *
     * @param incarnation of the collector that tells
     */
    void sample(
            long beat,
            int flags,
            long incarnation,
            long sampledAtNanos,
            long interval,
            boolean trusted,
            long nowNanos) {
        if (seen && toldBy != incarnation && sampledNanos - sampledAtNanos > 0) return;
        if (seen && beat != heartbeat) {
            everMoved = true;
            movedNanos = nowNanos;
        }
        seen = true;
        toldBy = incarnation;
        inOrder = trusted;
        heartbeat = beat;
        sampledNanos = sampledAtNanos;
        intervalNanos = interval;
        sleeping = (flags & SLEEPING) != 0;
    }

    /** Sampled again, with the same result: says something of that collector's own last sample only. */
    void renew(long incarnation, long sampledAtNanos) {
        if (!seen || toldBy != incarnation) return;
        sampledNanos = sampledAtNanos;
        inOrder = true;
    }

    /** The transit time of a collector's first record is not known: at best STALE. */
    Freshness freshness(long nowNanos) {
        if (!seen) return Freshness.MISSING;
        Freshness judged = Freshness.of(nowNanos - sampledNanos, intervalNanos);
        return judged == Freshness.FRESH && !inOrder ? Freshness.STALE : judged;
    }

    boolean movedSince(long nanos) {
        return everMoved && movedNanos - nanos >= 0;
    }

    boolean sleeping() {
        return sleeping;
    }
}
