package dev.penstock.core.view;

import dev.penstock.core.ramp.SlowStart;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes to a roster image; {@link #apply} builds the next one. A replica's cell outlives its images. */
final class FleetDelta {
    private final RosterImage from;
    private final CoarseClock clock;
    private final HotRow.Rows rows;
    private final TreeMap<Integer, ReplicaEntry> entries;
    private final Set<String> known;
    private boolean changed;

    FleetDelta(RosterImage from, CoarseClock clock, HotRow.Rows rows) {
        this.rows = rows;
        this.from = from;
        this.clock = clock;
        this.entries = new TreeMap<>(from.entriesByNumber());
        this.known = new HashSet<>(from.knownModels());
    }

    /** @param slowStart for an incarnation that is not known yet; null for one that is to be taken as established */
    FleetDelta add(RosterRecord roster, @Nullable SlowStart slowStart) {
        Replica replica = roster.replica();
        if (!roster.gone()) know(replica.models());
        ReplicaEntry present = entries.get(replica.number());
        if (roster.gone()) {
            changed |= entries.remove(replica.number()) != null;
        } else if (present == null) {
            entries.put(replica.number(), new ReplicaEntry(replica, cell(replica.number(), slowStart)));
            changed = true;
        } else if (!present.replica().equals(replica)) {
            // Another incarnation starts unknown: what was learned of the old one says nothing of it.
            boolean sameIncarnation = present.replica().uid().equals(replica.uid());
            entries.put(
                    replica.number(),
                    new ReplicaEntry(replica, sameIncarnation ? present.cell() : cell(replica.number(), slowStart)));
            changed = true;
        }
        return this;
    }

    private ReplicaCell cell(int number, @Nullable SlowStart slowStart) {
        HotRow row = rows.next();
        row.number(number);
        return new ReplicaCell(row, clock, slowStart);
    }

    /** Models that are known although nobody may serve them. */
    FleetDelta know(Collection<String> models) {
        for (String model : models) {
            if (known.size() < RosterImage.KNOWN_MODELS) changed |= known.add(model);
        }
        return this;
    }

    RosterImage apply() {
        if (!changed) return from;
        RosterImage next = new RosterImage(from.version() + 1, entries, known, from, rows.chunksOf(entries.values()));
        from.supersededBy(next);
        return next;
    }
}
