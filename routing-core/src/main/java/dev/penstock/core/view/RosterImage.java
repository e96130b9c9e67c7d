package dev.penstock.core.view;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The roster at one moment: immutable, read once per request and passed down. */
public final class RosterImage {
    public static final RosterImage EMPTY = new RosterImage(0, Map.of());

    private final long version;
    private final Map<Integer, ReplicaEntry> byNumber;
    private final Map<String, ReplicaEntry[]> byModel;

    RosterImage(long version, Map<Integer, ReplicaEntry> entries) {
        this.version = version;
        this.byNumber = new TreeMap<>(entries);
        Map<String, List<ReplicaEntry>> lists = new TreeMap<>();
        for (ReplicaEntry entry : byNumber.values()) {
            for (String model : entry.replica().models()) {
                lists.computeIfAbsent(model, m -> new ArrayList<>()).add(entry);
            }
        }
        Map<String, ReplicaEntry[]> arrays = new HashMap<>();
        lists.forEach((model, list) -> arrays.put(model, list.toArray(ReplicaEntry[]::new)));
        this.byModel = arrays;
    }

    /** Rises by one with each image of this process. */
    public long version() {
        return version;
    }

    /** Replicas that serve the model, or null for a model nobody serves. Not to be written to. */
    public ReplicaEntry @Nullable [] serving(String model) {
        return byModel.get(model);
    }

    public @Nullable ReplicaEntry byNumber(int number) {
        return byNumber.get(number);
    }

    public Collection<ReplicaEntry> entries() {
        return byNumber.values();
    }

    /** Names of all models, sorted. */
    public List<String> models() {
        return byModel.keySet().stream().sorted().toList();
    }

    Map<Integer, ReplicaEntry> entriesByNumber() {
        return byNumber;
    }
}
