package dev.penstock.core.scale;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.DemandRecord;
import dev.penstock.model.DemandRecord.ModelDemand;
import dev.penstock.model.PoolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One router's last word, and what its cumulative counts rose by. One writer. */
final class RouterCounts {
    private record Key(String model, PoolId pool) {}

    private final FrameGate gate = new FrameGate();
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
     * counts start at zero, unless the router was silent for longer than {@code memoryNanos}.
     *
     * @return false for one that is old
     */
    boolean record(DemandRecord record, long receiveNanos, long memoryNanos, Growth growth) {
        FrameGate.Admission admission = gate.admit(record.header(), true, receiveNanos);
        if (admission == FrameGate.Admission.DROPPED) return false;
        boolean continues = heard && receiveNanos - heardNanos <= memoryNanos;
        Map<Key, ModelDemand> before = admission == FrameGate.Admission.FIRST ? Map.of() : last;
        Map<Key, ModelDemand> next = new HashMap<>();
        for (ModelDemand model : record.models()) {
            Key key = new Key(model.model(), model.pool());
            next.put(key, model);
            if (continues) grow(before.get(key), model, growth);
        }
        last = next;
        heard = true;
        // a record that waited on its way tells of then, not of now
        heardNanos = receiveNanos - gate.excessNanos();
        incarnation = record.header().incarnation();
        return true;
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
