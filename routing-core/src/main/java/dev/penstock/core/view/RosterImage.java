package dev.penstock.core.view;

import dev.penstock.model.PoolId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The roster at one moment: immutable, read once per request and passed down. */
public final class RosterImage {
    public static final RosterImage EMPTY = new RosterImage(0, Map.of(), Set.of());

    /** A model that was seen once stays known (503, not 404), up to so many names. */
    static final int KNOWN_MODELS = 10_000;

    private static final ReplicaEntry[] NOBODY = {};

    private final long version;
    private final Map<Integer, ReplicaEntry> byNumber;
    private final Map<String, ReplicaEntry[]> byModel;

    /** @param known models that are known whether anybody serves them or not */
    RosterImage(long version, Map<Integer, ReplicaEntry> entries, Set<String> known) {
        this.version = version;
        this.byNumber = new TreeMap<>(entries);
        Map<String, List<ReplicaEntry>> lists = new TreeMap<>();
        for (ReplicaEntry entry : byNumber.values()) {
            for (String model : entry.replica().models()) {
                lists.computeIfAbsent(model, m -> new ArrayList<>()).add(entry);
            }
        }
        Map<String, ReplicaEntry[]> arrays = new HashMap<>();
        known.forEach(model -> arrays.put(model, NOBODY));
        lists.forEach((model, list) -> arrays.put(model, list.toArray(ReplicaEntry[]::new)));
        this.byModel = arrays;
    }

    /** Rises by one with each image of this process. */
    public long version() {
        return version;
    }

    /** Replicas that serve the model (none: known, but nobody serves it), or null for an unknown one. Not to be written to. */
    public ReplicaEntry @Nullable [] serving(String model) {
        return byModel.get(model);
    }

    /** The pool whose replicas serve the model, or null for an unknown one. */
    public @Nullable PoolId poolOf(String model) {
        ReplicaEntry[] serving = byModel.get(model);
        if (serving == null) return null;
        return serving.length == 0
                ? PoolId.localFor(model)
                : serving[0].replica().pool();
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
                .filter(each -> each.getValue().length > 0)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    Set<String> knownModels() {
        return byModel.keySet();
    }

    Map<Integer, ReplicaEntry> entriesByNumber() {
        return byNumber;
    }
}
