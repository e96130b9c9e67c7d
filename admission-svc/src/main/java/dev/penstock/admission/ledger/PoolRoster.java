package dev.penstock.admission.ledger;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The roster as ledgers need it: by pool, with those that are gone for as long as their records are kept. One thread. */
final class PoolRoster {
    private final EpochGate gate = new EpochGate();
    private final Listener listener;
    private final Map<String, Entry> nameToEntry = new TreeMap<>();

    record Entry(Replica replica, boolean gone) {
        PoolId pool() {
            return replica.pool();
        }
    }

    /** Told of each change. */
    interface Listener {
        void present(Replica replica);

        /** It is gone from this pool, into another one maybe. */
        void gone(Replica replica);
    }

    PoolRoster(Listener listener) {
        this.listener = listener;
    }

    void read(RosterRecord record, long nowNanos) {
        if (!gate.admit(record.header().epoch(), nowNanos)) return;
        Replica replica = record.replica();
        Entry before = nameToEntry.get(replica.name());
        Entry now = new Entry(replica, record.gone());
        nameToEntry.put(replica.name(), now);
        if (before != null && !sameAccount(before.replica(), replica)) listener.gone(before.replica());
        tell(now, listener);
    }

    /** Returns what there was. */
    @Nullable
    Entry forgotten(String name) {
        Entry before = nameToEntry.remove(name);
        if (before != null && !before.gone()) listener.gone(before.replica());
        return before;
    }

    Collection<Entry> entries() {
        return nameToEntry.values();
    }

    static void tell(Entry entry, Listener listener) {
        if (entry.gone()) listener.gone(entry.replica());
        else listener.present(entry.replica());
    }

    private static boolean sameAccount(Replica one, Replica other) {
        return one.number() == other.number() && one.pool().equals(other.pool());
    }
}
