package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Of a pool's dead holders, the replicas whose engines are known to have stopped what they had sent. One record tells all of a
 * holder, since it replaces the one before; hence what earlier owners found is kept with what this one finds. One thread.
 */
final class SettledBook {
    private final long epoch;
    private final Map<HolderId, SortedSet<Integer>> deadToNumbers = new LinkedHashMap<>();
    private final Set<HolderId> unwritten = new LinkedHashSet<>();

    SettledBook(long epoch) {
        this.epoch = epoch;
    }

    /** False for the word of a later owner, which is not taken. */
    boolean read(HolderId dead, long byEpoch, Collection<Integer> numbers) {
        if (byEpoch > epoch) return false;
        deadToNumbers.computeIfAbsent(dead, unused -> new TreeSet<>()).addAll(numbers);
        return true;
    }

    void found(HolderId dead, int number) {
        deadToNumbers.computeIfAbsent(dead, unused -> new TreeSet<>()).add(number);
        unwritten.add(dead);
    }

    Collection<Integer> of(HolderId dead) {
        return deadToNumbers.getOrDefault(dead, new TreeSet<>());
    }

    /** Who is settled there. */
    List<HolderId> deadAt(int number) {
        List<HolderId> dead = new ArrayList<>();
        deadToNumbers.forEach((id, numbers) -> {
            if (numbers.contains(number)) dead.add(id);
        });
        return dead;
    }

    /** What is to be written, once. */
    Map<HolderId, SortedSet<Integer>> unwritten() {
        if (unwritten.isEmpty()) return Map.of();
        Map<HolderId, SortedSet<Integer>> due = new LinkedHashMap<>();
        for (HolderId dead : unwritten) due.put(dead, new TreeSet<>(of(dead)));
        unwritten.clear();
        return due;
    }
}
