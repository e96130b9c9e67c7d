package dev.penstock.admission.ledger;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The roster as ledgers need it: by pool, with those that are gone for as long as their records are kept. One thread. */
final class PoolRoster {
    private static final long LONG_AGO_NANOS = Duration.ofDays(3_650).toNanos();

    private final EpochGate gate = new EpochGate();
    private final Listener listener;
    private final Map<String, Entry> nameToEntry = new TreeMap<>();

    /** @param readySinceNanos of this life, or later: a record may have been long on its way */
    record Entry(Replica replica, boolean gone, long readySinceNanos) {
        PoolId pool() {
            return replica.pool();
        }
    }

    /** Told of each change. */
    interface Listener {
        void present(Replica replica, long readySinceNanos);

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
        Entry now = new Entry(replica, record.gone(), readySince(record, before, nowNanos));
        nameToEntry.put(replica.name(), now);
        if (before != null && !sameAccount(before.replica(), replica)) listener.gone(before.replica());
        tell(now, listener);
    }

    void forgotten(String name) {
        Entry before = nameToEntry.remove(name);
        if (before != null && !before.gone()) listener.gone(before.replica());
    }

    Collection<Entry> entries() {
        return nameToEntry.values();
    }

    static void tell(Entry entry, Listener listener) {
        if (entry.gone()) listener.gone(entry.replica());
        else listener.present(entry.replica(), entry.readySinceNanos());
    }

    private static boolean sameAccount(Replica one, Replica other) {
        return one.number() == other.number() && one.pool().equals(other.pool());
    }

    /** No record is read before it was sent: of one life the earliest that its records say is the closest. */
    private static long readySince(RosterRecord record, @Nullable Entry before, long nowNanos) {
        // A life whose age nobody tells may be as old as any.
        if (record.readyAgeMillis() == RosterRecord.AGE_UNKNOWN) return nowNanos - LONG_AGO_NANOS;
        long told = nowNanos - record.readyAgeMillis() * 1_000_000;
        if (before == null || before.gone()) return told;
        boolean same = before.replica().uid().equals(record.replica().uid());
        return same && before.readySinceNanos() - told < 0 ? before.readySinceNanos() : told;
    }
}
