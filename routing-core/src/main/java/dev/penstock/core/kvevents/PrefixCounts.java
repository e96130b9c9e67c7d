package dev.penstock.core.kvevents;

import java.util.function.LongConsumer;

/**
 * A multiset of hashes: two blocks of an engine can end the same prefix when its end falls inside them. Open addressing, 12
 * bytes per place, at most half of the places taken. A hash lies at about the same share of the places however many there are,
 * so that a round through all of them goes on where it was when the table grows. One thread.
 */
final class PrefixCounts {
    private static final int FIRST_PLACES = 64;

    private long[] hashes = new long[FIRST_PLACES];
    private int[] counts = new int[FIRST_PLACES];
    private int size;

    int size() {
        return size;
    }

    /** How far {@link #visit} goes. */
    int places() {
        return counts.length;
    }

    /** True when it was not there. */
    boolean add(long hash) {
        int i = find(hash);
        if (counts[i]++ > 0) return false;
        hashes[i] = hash;
        if (++size * 2 > counts.length) grow();
        return true;
    }

    /** True when it was the last of its kind. */
    boolean remove(long hash) {
        int i = find(hash);
        if (counts[i] == 0 || --counts[i] > 0) return false;
        size--;
        close(i);
        return true;
    }

    void clear() {
        hashes = new long[FIRST_PLACES];
        counts = new int[FIRST_PLACES];
        size = 0;
    }

    void visit(int from, int to, LongConsumer visitor) {
        for (int i = from; i < Math.min(to, counts.length); i++) {
            if (counts[i] > 0) visitor.accept(hashes[i]);
        }
    }

    private int find(long hash) {
        int i = home(hash);
        while (counts[i] > 0 && hashes[i] != hash) i = next(i);
        return i;
    }

    /** Moves up what would no longer be found, as linear probing without tombstones must. */
    private void close(int hole) {
        int gap = hole;
        int mask = counts.length - 1;
        for (int i = next(gap); counts[i] > 0; i = next(i)) {
            if (((i - home(hashes[i])) & mask) < ((i - gap) & mask)) continue;
            hashes[gap] = hashes[i];
            counts[gap] = counts[i];
            counts[i] = 0;
            gap = i;
        }
    }

    private void grow() {
        long[] oldHashes = hashes;
        int[] oldCounts = counts;
        hashes = new long[oldHashes.length * 2];
        counts = new int[oldCounts.length * 2];
        for (int i = 0; i < oldCounts.length; i++) {
            if (oldCounts[i] == 0) continue;
            int place = find(oldHashes[i]);
            hashes[place] = oldHashes[i];
            counts[place] = oldCounts[i];
        }
    }

    private int home(long hash) {
        return (int) ((hash * 0x9E3779B97F4A7C15L) >>> Long.numberOfLeadingZeros(counts.length) + 1);
    }

    private int next(int i) {
        return (i + 1) & (counts.length - 1);
    }
}
