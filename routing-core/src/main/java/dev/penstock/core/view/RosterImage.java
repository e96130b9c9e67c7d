package dev.penstock.core.view;

import dev.penstock.model.PoolId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The roster at one moment: immutable, read once per request and passed down. */
public final class RosterImage {
    public static final RosterImage EMPTY = new RosterImage(0, Map.of(), Set.of(), null, new long[0][]);

    /** A model that was seen once stays known (503, not 404), up to so many names. */
    static final int KNOWN_MODELS = 10_000;

    private final long version;
    private final Map<Integer, ReplicaEntry> byNumber;
    private final ReplicaEntry[] inOrder;
    private final long[][] chunks;
    private final Map<String, Candidates> byModel;
    private final Map<PoolId, PoolLoad> pools;

    /**
     * @param known models that are known whether anybody serves them or not
     * @param before what did not change is taken over from it
     * @param chunks of {@link HotRow.Rows}, as of now
     */
    RosterImage(
            long version,
            Map<Integer, ReplicaEntry> entries,
            Set<String> known,
            @Nullable RosterImage before,
            long[][] chunks) {
        this.chunks = chunks;
        this.version = version;
        this.byNumber = new TreeMap<>(entries);
        this.inOrder = byNumber.values().toArray(ReplicaEntry[]::new);
        this.pools = pools(before);
        Map<String, List<ReplicaEntry>> lists = new TreeMap<>();
        for (ReplicaEntry entry : inOrder) {
            for (String model : entry.replica().models()) {
                lists.computeIfAbsent(model, m -> new ArrayList<>()).add(entry);
            }
        }
        for (String model : known) lists.putIfAbsent(model, List.of());
        this.byModel = candidates(lists, before);
    }

    private Map<PoolId, PoolLoad> pools(@Nullable RosterImage before) {
        Map<PoolId, PoolLoad> found = new HashMap<>();
        Map<PoolId, Integer> sizes = new HashMap<>();
        for (ReplicaEntry entry : inOrder) {
            PoolId id = entry.replica().pool();
            PoolLoad pool = found.get(id);
            if (pool == null) {
                PoolLoad known = before == null ? null : before.pools.get(id);
                pool = known != null ? known : new PoolLoad();
                found.put(id, pool);
            }
            pool.replicas(sizes.merge(id, 1, Integer::sum));
        }
        return found;
    }

    /** Models that the same replicas serve share their candidates; those of a model that did not change are kept. */
    private Map<String, Candidates> candidates(Map<String, List<ReplicaEntry>> lists, @Nullable RosterImage before) {
        Map<List<Integer>, Candidates> numbersToCandidates = new HashMap<>();
        Map<String, Candidates> found = new HashMap<>();
        lists.forEach((model, list) -> {
            List<Integer> numbers =
                    list.stream().map(entry -> entry.replica().number()).toList();
            found.put(model, numbersToCandidates.computeIfAbsent(numbers, n -> candidates(model, list, before)));
        });
        return found;
    }

    private Candidates candidates(String model, List<ReplicaEntry> list, @Nullable RosterImage before) {
        Candidates known = before == null ? null : before.byModel.get(model);
        if (known != null && Arrays.asList(known.entries()).equals(list)) return known;
        PoolLoad pool =
                list.isEmpty() ? null : pools.get(list.getFirst().replica().pool());
        return new Candidates(list.toArray(ReplicaEntry[]::new), pool == null ? new PoolLoad() : pool, chunks, known);
    }

    /** What the next image does not use is told of no change any more. */
    void supersededBy(RosterImage next) {
        Set<Candidates> kept = new HashSet<>(next.byModel.values());
        for (Candidates each : byModel.values()) if (!kept.contains(each)) each.close();
    }

    /** Rises by one with each image of this process. */
    public long version() {
        return version;
    }

    /** Who may serve the model (nobody: known, but not served), or null for an unknown one. */
    public @Nullable Candidates candidates(String model) {
        return byModel.get(model);
    }

    /** Replicas that serve the model (none: known, but nobody serves it), or null for an unknown one. Not to be written to. */
    public ReplicaEntry @Nullable [] serving(String model) {
        Candidates candidates = byModel.get(model);
        return candidates == null ? null : candidates.entries();
    }

    /** The pool whose replicas serve the model, or null for an unknown one. */
    public @Nullable PoolId poolOf(String model) {
        ReplicaEntry[] serving = serving(model);
        if (serving == null) return null;
        return serving.length == 0
                ? PoolId.localFor(model)
                : serving[0].replica().pool();
    }

    /** What was learned of a replica's capacity, 1 = its pool's mean; 0 = nothing yet. */
    public double relativeCapacity(ReplicaEntry entry) {
        PoolLoad pool = pools.get(entry.replica().pool());
        double capacity = entry.cell().capacity();
        return pool == null || capacity == 0 ? 0 : pool.fairPart(capacity);
    }

    public @Nullable ReplicaEntry byNumber(int number) {
        return byNumber.get(number);
    }

    public Collection<ReplicaEntry> entries() {
        return byNumber.values();
    }

    /** Names of all models that somebody serves, sorted. */
    public List<String> models() {
        return byModel.entrySet().stream()
                .filter(each -> each.getValue().size() > 0)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** All replicas by number, for a sweep. Not to be written to. */
    ReplicaEntry[] inOrder() {
        return inOrder;
    }

    Map<PoolId, PoolLoad> pools() {
        return pools;
    }

    Iterable<Candidates> allCandidates() {
        return new HashSet<>(byModel.values());
    }

    Set<String> knownModels() {
        return byModel.keySet();
    }

    Map<Integer, ReplicaEntry> entriesByNumber() {
        return byNumber;
    }
}
