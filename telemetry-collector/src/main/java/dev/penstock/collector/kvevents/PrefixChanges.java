package dev.penstock.collector.kvevents;

import dev.penstock.core.kvevents.KvBlocks;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is to be told of one replica: of each prefix the last word. Begins with a clear, because what was told before, by
 * another collector or of another process, may be gone. One thread.
 */
final class PrefixChanges implements KvBlocks.Listener {
    /** Removals in one go beyond this are told as a clear and all that is left. */
    static final int MOST = 100_000;

    private final Map<Long, Boolean> hashToHeld = new LinkedHashMap<>();
    private boolean cleared = true;

    @Override
    public void stored(long prefixHash) {
        hashToHeld.put(prefixHash, true);
    }

    @Override
    public void removed(long prefixHash) {
        hashToHeld.put(prefixHash, false);
    }

    @Override
    public void cleared() {
        hashToHeld.clear();
        cleared = true;
    }

    /** Still held: said again, unless there is a word on it already. */
    void again(long prefixHash) {
        hashToHeld.putIfAbsent(prefixHash, true);
    }

    /** @param held prefixes, each of which may have a word as well */
    boolean tooMany(int held) {
        return hashToHeld.size() - held > MOST;
    }

    boolean isEmpty() {
        return hashToHeld.isEmpty() && !cleared;
    }

    /** Takes what is to be told, at most so many hashes; the rest stays. */
    PrefixBlocks take(int number, int most) {
        int count = Math.min(most, hashToHeld.size());
        long[] stored = new long[count];
        long[] removed = new long[count];
        int storedCount = 0;
        int removedCount = 0;
        Iterator<Map.Entry<Long, Boolean>> entries = hashToHeld.entrySet().iterator();
        for (int i = 0; i < count; i++) {
            Map.Entry<Long, Boolean> entry = entries.next();
            if (entry.getValue()) stored[storedCount++] = entry.getKey();
            else removed[removedCount++] = entry.getKey();
            entries.remove();
        }
        boolean first = cleared;
        cleared = false;
        return new PrefixBlocks(
                number, Arrays.copyOf(stored, storedCount), Arrays.copyOf(removed, removedCount), first);
    }
}
