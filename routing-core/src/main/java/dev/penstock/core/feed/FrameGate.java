package dev.penstock.core.feed;

import dev.penstock.model.Header;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one stream of one producer (a shard of a collector, a router's vector): drops what is old, notices what is
 * missing. One writer.
 */
public final class FrameGate {
    /** What may be believed of a record. */
    public enum Admission {
        /** A duplicate, or older than what was read. */
        DROPPED,
        /** The first of an incarnation, or after one of another: its transit time is not known, so it is at best STALE. */
        FIRST,
        /** A record is missing before it: what it leaves out is unknown until the next full one. */
        AFTER_GAP,
        IN_ORDER
    }

    /**
     * Incarnations whose place in their stream is remembered. A frozen process that wakes beside its successor, or a record
     * that was long on its way, must not pass for a new start: what it says again is old, and its time on the way is known.
     */
    private static final int REMEMBERED = 8;

    private final Map<Long, Life> incarnationToLife = new LinkedHashMap<>(8, 0.75f, true);
    private @Nullable Life current;
    private boolean awaitingFull;
    private long lastReceiveNanos;
    private long excessNanos;

    private static final class Life {
        final long incarnation;
        final TransitExcess transit = new TransitExcess();
        long lastSequence = Long.MIN_VALUE;

        Life(long incarnation) {
            this.incarnation = incarnation;
        }
    }

    public Admission admit(Header header, boolean full, long receiveNanos) {
        Life before = current;
        boolean changed = before == null || before.incarnation != header.incarnation();
        Life life = before == null || changed ? life(header.incarnation()) : before;
        if (header.sequence() <= life.lastSequence) return Admission.DROPPED;
        boolean gap = !changed && header.sequence() != life.lastSequence + 1;
        current = life;
        life.lastSequence = header.sequence();
        lastReceiveNanos = receiveNanos;
        excessNanos = life.transit.of(header.sendNanos(), receiveNanos);
        if (changed) {
            awaitingFull = !full;
            return Admission.FIRST;
        }
        awaitingFull = !full && (awaitingFull || gap);
        return awaitingFull ? Admission.AFTER_GAP : Admission.IN_ORDER;
    }

    private Life life(long incarnation) {
        Life life = incarnationToLife.computeIfAbsent(incarnation, Life::new);
        if (incarnationToLife.size() > REMEMBERED) {
            incarnationToLife.remove(incarnationToLife.keySet().iterator().next());
        }
        return life;
    }

    /** Time the last admitted record was longer on its way than the quickest of its incarnation. */
    public long excessNanos() {
        return excessNanos;
    }

    public long lastReceiveNanos() {
        return lastReceiveNanos;
    }
}
