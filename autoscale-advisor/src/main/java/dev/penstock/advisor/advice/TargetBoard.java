package dev.penstock.advisor.advice;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.core.feed.TransitExcess;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import dev.penstock.model.PoolTarget;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.PoolTargetCodec;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What was published last for each pool, by whoever owned the role, and how old it is. What the topic held before this
 * instance read it has no age: it is something to go on from, and nothing to serve. Written and read on the advisor's
 * context.
 */
public final class TargetBoard {
    private final EpochGate epochs = new EpochGate();
    private final TreeMap<PoolId, Posted> poolToPosted = new TreeMap<>();
    private TransitExcess transit = new TransitExcess();
    private @Nullable Header writer;
    private boolean caughtUp;

    /**
     * A published recommendation.
     *
     * @param sentNanos about when it was sent, by this instance's clock
     * @param history read from before this instance listened
     */
    public record Posted(PoolTarget target, long sentNanos, boolean history) {}

    /** @return false for a displaced owner's record, which is dropped */
    public boolean record(String key, byte @Nullable [] value, long receiveNanos) throws MalformedRecordException {
        if (value == null) {
            poolToPosted.keySet().removeIf(pool -> pool.toString().equals(key));
            return true;
        }
        PoolTarget target = PoolTargetCodec.decode(value);
        if (!epochs.admit(target.header().epoch(), receiveNanos)) return false;
        long excess = excess(target.header(), receiveNanos);
        poolToPosted.put(target.pool(), new Posted(target, receiveNanos - excess, !caughtUp));
        return true;
    }

    /** From here on records are told as they are written. */
    public void caughtUp() {
        caughtUp = true;
    }

    public boolean isCaughtUp() {
        return caughtUp;
    }

    public @Nullable Posted posted(PoolId pool) {
        return poolToPosted.get(pool);
    }

    public Set<PoolId> pools() {
        return new TreeSet<>(poolToPosted.keySet());
    }

    /** Age of the youngest record that can be served, or -1 without any. */
    public long youngestAgeNanos(long nowNanos) {
        long youngest = -1;
        for (Posted posted : poolToPosted.values()) {
            long age = nowNanos - posted.sentNanos();
            if (!posted.history() && (youngest < 0 || age < youngest)) youngest = Math.max(0, age);
        }
        return youngest;
    }

    private long excess(Header header, long receiveNanos) {
        Header before = writer;
        boolean same = before != null
                && before.incarnation() == header.incarnation()
                && before.producer().equals(header.producer());
        if (!same) transit = new TransitExcess();
        writer = header;
        return transit.of(header.sendNanos(), receiveNanos);
    }
}
