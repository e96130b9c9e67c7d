package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A ring with a hundred points for each replica: the first routable one from the session's place on. It knows no pins. */
final class ConsistentHash implements Picker, LongConsumer {
    private static final int POINTS_EACH = 100;

    private final TreeMap<Long, ReplicaEntry> ring = new TreeMap<>();
    private @Nullable RosterImage seen;
    private long key;

    @Override
    public void accept(long sessionKey) {
        key = sessionKey;
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        if (image != seen) build(image);
        for (Map.Entry<Long, ReplicaEntry> each : ring.tailMap(key).entrySet()) {
            if (routable(each.getValue(), nowNanos)) return each.getValue();
        }
        for (ReplicaEntry each : ring.values()) if (routable(each, nowNanos)) return each;
        return null;
    }

    private void build(RosterImage image) {
        seen = image;
        ring.clear();
        for (ReplicaEntry entry : Policy.pool(image)) {
            var points = new SplittableRandom(entry.replica().number());
            for (int i = 0; i < POINTS_EACH; i++) ring.put(points.nextLong(), entry);
        }
    }

    private static boolean routable(ReplicaEntry entry, long nowNanos) {
        return entry.cell().candidate() && entry.cell().exclusion(nowNanos).compareTo(ReplicaCell.Exclusion.RAMP) <= 0;
    }
}
