package dev.penstock.core.scale;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.DemandRecord;
import dev.penstock.model.DemandRecord.ModelDemand;
import dev.penstock.model.PoolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One router's last word, and what its cumulative counts rose by. One writer. */
final class RouterCounts {
    private record Key(String model, PoolId pool) {}

    /** Incarnations whose counts are remembered: one that returns goes on from them. */
    private static final int REMEMBERED = 8;

    private final FrameGate gate = new FrameGate();
    private final Map<Long, Map<Key, ModelDemand>> incarnationToLast = new LinkedHashMap<>(8, 0.75f, true);
    private Map<Key, ModelDemand> last = Map.of();
    private boolean heard;
    private long heardNanos;
    private long incarnation;

    /** What rose between two records. */
    interface Growth {
        void of(ModelDemand now, long unserved, long completed, long serviceMicros);
    }

    /**
     * Takes a record in. The first of a router is where counting starts: what happened before it has no time. After a restart
     * counts start at zero, unless the router was silent for longer than {@code memoryNanos}. A late record of the life before
     * the restart adds what it counted, and is not the router's last word.
     *
     * @return false for one that is old
     */
    boolean record(DemandRecord record, long receiveNanos, long memoryNanos, Growth growth) {
        FrameGate.Admission admission = gate.admit(record.header(), true, receiveNanos);
        if (admission == FrameGate.Admission.DROPPED) return false;
        boolean continues = heard && receiveNanos - heardNanos <= memoryNanos;
        long teller = record.header().incarnation();
        Map<Key, ModelDemand> before = incarnationToLast.getOrDefault(teller, Map.of());
        Map<Key, ModelDemand> next = new HashMap<>();
        for (ModelDemand model : record.models()) {
            Key key = new Key(model.model(), model.pool());
            next.put(key, model);
            if (continues) grow(before.get(key), model, growth);
        }
        remember(teller, next);
        // a record that waited on its way tells of then, not of now
        long sentNanos = receiveNanos - gate.excessNanos();
        if (heard && teller != incarnation && sentNanos - heardNanos < 0) return true;
        last = next;
        heard = true;
        heardNanos = sentNanos;
        incarnation = teller;
        return true;
    }

    private void remember(long teller, Map<Key, ModelDemand> counts) {
        incarnationToLast.put(teller, counts);
        if (incarnationToLast.size() > REMEMBERED) {
            incarnationToLast.remove(incarnationToLast.keySet().iterator().next());
        }
    }

    private static void grow(@Nullable ModelDemand before, ModelDemand now, Growth growth) {
        if (before == null) {
            growth.of(now, now.queued() + now.shed() + now.expired(), now.completed(), now.serviceMicros());
        } else {
            growth.of(
                    now,
                    now.queued() - before.queued() + now.shed() - before.shed() + now.expired() - before.expired(),
                    now.completed() - before.completed(),
                    now.serviceMicros() - before.serviceMicros());
        }
    }

    long incarnation() {
        return incarnation;
    }

    /** About when its last record was sent, by the reader's clock. */
    long heardNanos() {
        return heardNanos;
    }

    long silentNanos(long nowNanos) {
        return nowNanos - heardNanos;
    }

    Collection<ModelDemand> models() {
        return last.values();
    }
}
