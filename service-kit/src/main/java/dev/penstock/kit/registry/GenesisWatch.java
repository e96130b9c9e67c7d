package dev.penstock.kit.registry;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the topics are those that were read first. Two processes that find the topic empty both write a genesis: the one with
 * the lower offset counts, and who registers later writes it again, so that compaction keeps it. One thread.
 */
final class GenesisWatch {
    private final Map<String, Long> lastOffsets = new HashMap<>();
    private @Nullable String first;
    private @Nullable String counts;
    private @Nullable String stored;
    private @Nullable String problem;

    /** A topic that was made anew, or cut, gives offsets again. */
    void offset(String topic, long offset) {
        Long last = lastOffsets.put(topic, offset);
        if (last != null && offset <= last && problem == null) {
            problem = "offset " + offset + " of " + topic + " after " + last + ": it was made anew, or cut";
        }
    }

    /** @param id null when it was removed */
    void record(@Nullable String id) {
        stored = id;
        if (id == null) counts = null;
        else if (counts == null) counts = id;
        if (first == null) first = counts;
        if (counts != null && !counts.equals(first) && problem == null) problem = "genesis is " + counts;
    }

    GenesisState state() {
        String seen = first;
        if (problem != null) return new GenesisState.Changed(seen == null ? "" : seen, problem);
        return seen == null || counts == null ? new GenesisState.Missing() : new GenesisState.Present(seen);
    }

    /** The one that counts, when another one is stored. */
    @Nullable
    String overwritten() {
        return counts != null && !counts.equals(stored) ? counts : null;
    }
}
