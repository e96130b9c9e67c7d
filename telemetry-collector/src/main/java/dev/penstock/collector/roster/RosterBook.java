package dev.penstock.collector.roster;

import dev.penstock.collector.discovery.DiscoveredReplica;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who has which number. A name keeps its number as long as the topic remembers it; another endpoint, a restarted engine, or
 * a return after having been gone, is another incarnation and gets a new uid. No number is given twice: every record carries the highest
 * one ever given, and the record of its holder is never removed. How long an incarnation has been ready goes on over a change
 * of owner, as far as its records tell. One thread.
 */
public final class RosterBook {
    private static final long TOMBSTONE_AFTER_NANOS = Duration.ofMinutes(10).toNanos();

    private final Supplier<String> uids;
    private final ReadyTimes followed;
    private final Map<String, Entry> nameToEntry = new TreeMap<>();
    private final Map<String, String> nameToRefusal = new TreeMap<>();
    private final Set<Integer> restarted = new HashSet<>();
    private int highest;

    /** @param readySinceNanos null when it is gone, or nobody told */
    private record Entry(
            Replica replica,
            boolean gone,
            long goneSinceNanos,
            @Nullable Long readySinceNanos) {
        Change.Told told(long nowNanos) {
            long age = readySinceNanos == null ? RosterRecord.AGE_UNKNOWN : (nowNanos - readySinceNanos) / 1_000_000;
            return new Change.Told(replica, gone, age);
        }
    }

    /** A change to tell: a replica that is there or gone, or the end of the record of one. */
    public sealed interface Change {
        String name();

        /** @param readyAgeMillis as in {@link RosterRecord} */
        record Told(Replica replica, boolean gone, long readyAgeMillis) implements Change {
            @Override
            public String name() {
                return replica.name();
            }
        }

        record Forgotten(String name) implements Change {}
    }

    /**
     * @param uids one for each incarnation, never the same again
     * @param followed what this collector heard of the records of owners before, when they came
     */
    public RosterBook(Supplier<String> uids, ReadyTimes followed) {
        this.uids = uids;
        this.followed = followed;
    }

    /** A record of the topic, in its order; null is a tombstone. */
    public void read(String name, @Nullable RosterRecord roster, long nowNanos) {
        if (roster == null) {
            nameToEntry.remove(name);
            return;
        }
        highest = Math.max(
                highest, Math.max(roster.highestNumber(), roster.replica().number()));
        // read again after a takeover it looks as if it had just come: when it was heard first counts
        Long since = roster.gone() ? null : followed.sinceNanos(roster, nowNanos);
        nameToEntry.put(name, new Entry(roster.replica(), roster.gone(), nowNanos, since));
    }

    /**
     * Compares with what there should be. A replica whose models are not known yet stays as it is, or waits outside.
     *
     * @param wallMillis for people
     */
    public List<Change> apply(List<DiscoveredReplica> wanted, long nowNanos, long wallMillis) {
        List<Change> changes = new ArrayList<>();
        Set<String> present = new HashSet<>();
        Map<PoolId, String> poolToModel = new HashMap<>();
        nameToRefusal.clear();
        // those already told first: a newcomer must not push one out of its pool
        List<DiscoveredReplica> ordered = new ArrayList<>(wanted);
        ordered.sort(Comparator.comparing(each -> !sameIncarnation(each)));
        for (DiscoveredReplica each : ordered) {
            if (each.models().isEmpty()) {
                if (sameIncarnation(each)) keep(each.name(), present, poolToModel);
            } else if (fits(each, poolToModel)) {
                present.add(each.name());
                tell(each, nowNanos, wallMillis, changes);
            }
        }
        for (Entry entry : List.copyOf(nameToEntry.values())) {
            if (!present.contains(entry.replica().name())) leave(entry, nowNanos, changes);
        }
        return changes;
    }

    /** The engine behind this number began anew at its old address: the next {@link #apply} tells another incarnation. */
    public void restarted(int number) {
        restarted.add(number);
    }

    /** Everything that is known, to be told again. */
    public List<Change> all(long nowNanos) {
        List<Change> all = new ArrayList<>();
        nameToEntry.values().forEach(entry -> all.add(entry.told(nowNanos)));
        return all;
    }

    /** The replicas that are not gone. */
    public List<Replica> replicas() {
        return nameToEntry.values().stream()
                .filter(entry -> !entry.gone())
                .map(Entry::replica)
                .toList();
    }

    /** Names that were not taken in, with the reason, as of the last {@link #apply}. */
    public Map<String, String> refusals() {
        return Map.copyOf(nameToRefusal);
    }

    public int highestNumber() {
        return highest;
    }

    private boolean sameIncarnation(DiscoveredReplica each) {
        Entry entry = nameToEntry.get(each.name());
        return entry != null && !entry.gone() && entry.replica().endpoint().equals(each.endpoint());
    }

    private void keep(String name, Set<String> present, Map<PoolId, String> poolToModel) {
        Entry entry = nameToEntry.get(name);
        if (entry == null) return;
        present.add(name);
        poolToModel.putIfAbsent(entry.replica().pool(), entry.replica().models().getFirst());
    }

    private boolean fits(DiscoveredReplica each, Map<PoolId, String> poolToModel) {
        String model = each.models().getFirst();
        if (model.endsWith("/")) {
            nameToRefusal.put(each.name(), "model " + model + " has no name after its last slash");
            return false;
        }
        PoolId pool = PoolId.localFor(model);
        String other = poolToModel.putIfAbsent(pool, model);
        if (other == null || other.equals(model)) return true;
        nameToRefusal.put(
                each.name(),
                "model " + model + " would share pool " + pool + " with " + other
                        + "; expected models whose names after the last slash differ");
        return false;
    }

    private void tell(DiscoveredReplica each, long nowNanos, long wallMillis, List<Change> changes) {
        Entry entry = nameToEntry.get(each.name());
        int number = entry == null ? ++highest : entry.replica().number();
        boolean same = sameIncarnation(each) && !restarted.remove(number);
        String uid = same && entry != null ? entry.replica().uid() : uids.get();
        long since = same && entry != null ? entry.replica().readySinceMillis() : wallMillis;
        Replica replica = new Replica(
                each.name(),
                number,
                uid,
                each.endpoint(),
                each.metricsEndpoint(),
                models(each, same ? entry : null),
                each.engine(),
                each.hardwareClass(),
                PoolId.localFor(each.models().getFirst()),
                each.zone(),
                each.maxInflight(),
                since,
                each.labels());
        if (entry != null && !entry.gone() && entry.replica().equals(replica)) return;
        Entry next =
                new Entry(replica, false, 0, same && entry != null ? entry.readySinceNanos() : Long.valueOf(nowNanos));
        nameToEntry.put(each.name(), next);
        changes.add(next.told(nowNanos));
    }

    /**
     * Its models, then its adapters. While it has not told of adapters, as after a change of owner, those that its record
     * names besides stay.
     */
    private static List<String> models(DiscoveredReplica each, @Nullable Entry entry) {
        List<String> before = entry == null ? List.of() : entry.replica().models();
        boolean samePool =
                !before.isEmpty() && before.getFirst().equals(each.models().getFirst());
        Set<String> models = new LinkedHashSet<>(each.models());
        List<String> adapters = each.adapters();
        if (adapters != null) models.addAll(adapters);
        else if (samePool) models.addAll(before);
        return List.copyOf(models);
    }

    private void leave(Entry entry, long nowNanos, List<Change> changes) {
        Replica replica = entry.replica();
        if (!entry.gone()) {
            Entry left = new Entry(replica, true, nowNanos, null);
            nameToEntry.put(replica.name(), left);
            changes.add(left.told(nowNanos));
        } else if (nowNanos - entry.goneSinceNanos() >= TOMBSTONE_AFTER_NANOS && replica.number() != highest) {
            nameToEntry.remove(replica.name());
            changes.add(new Change.Forgotten(replica.name()));
        }
    }
}
