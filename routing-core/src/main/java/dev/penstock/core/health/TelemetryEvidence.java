package dev.penstock.core.health;

import dev.penstock.model.Freshness;

/** What telemetry says of one replica: how old its last sample is, and whether its heartbeat moves. One writer. */
final class TelemetryEvidence {
    /** The flag of a sample whose engine sleeps: requests may crash it. */
    private static final int SLEEPING = 1;

    private boolean seen;
    private boolean inOrder;
    private long sampledNanos;
    private long intervalNanos;
    private long heartbeat;
    private boolean everMoved;
    private long movedNanos;
    private boolean sleeping;

    void sample(long beat, int flags, long sampledAtNanos, long interval, boolean trusted, long nowNanos) {
        if (seen && sampledNanos - sampledAtNanos > 0) return;
        if (seen && beat != heartbeat) {
            everMoved = true;
            movedNanos = nowNanos;
        }
        seen = true;
        inOrder = trusted;
        heartbeat = beat;
        sampledNanos = sampledAtNanos;
        intervalNanos = interval;
        sleeping = (flags & SLEEPING) != 0;
    }

    /** Sampled again, with the same result. */
    void renew(long sampledAtNanos) {
        if (!seen || sampledNanos - sampledAtNanos > 0) return;
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
