package dev.penstock.core.feed;

import dev.penstock.model.Header;

/**
 * Reads one stream of one producer (a shard of a collector, a router's vector): drops what is old, notices what is
 * missing. One writer.
 */
public final class FrameGate {
    /** What may be believed of a record. */
    public enum Admission {
        /** A duplicate, or older than what was read. */
        DROPPED,
        /** The first of an incarnation: its transit time is not known, so it is at best STALE. */
        FIRST,
        /** A record is missing before it: what it leaves out is unknown until the next full one. */
        AFTER_GAP,
        IN_ORDER
    }

    private boolean seen;
    private long incarnation;
    private long lastSequence;
    private boolean awaitingFull;
    private long lastReceiveNanos;
    private long excessNanos;
    private TransitExcess transit = new TransitExcess();

    public Admission admit(Header header, boolean full, long receiveNanos) {
        boolean restarted = !seen || header.incarnation() != incarnation;
        if (!restarted && header.sequence() <= lastSequence) return Admission.DROPPED;
        boolean gap = !restarted && header.sequence() != lastSequence + 1;
        if (restarted) transit = new TransitExcess();
        seen = true;
        incarnation = header.incarnation();
        lastSequence = header.sequence();
        lastReceiveNanos = receiveNanos;
        excessNanos = transit.of(header.sendNanos(), receiveNanos);
        if (restarted) {
            awaitingFull = !full;
            return Admission.FIRST;
        }
        awaitingFull = !full && (awaitingFull || gap);
        return awaitingFull ? Admission.AFTER_GAP : Admission.IN_ORDER;
    }

    /** Time the last admitted record was longer on its way than the quickest of its incarnation. */
    public long excessNanos() {
        return excessNanos;
    }

    public long lastReceiveNanos() {
        return lastReceiveNanos;
    }
}
