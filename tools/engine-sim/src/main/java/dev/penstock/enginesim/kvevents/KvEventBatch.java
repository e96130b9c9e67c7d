package dev.penstock.enginesim.kvevents;

import dev.penstock.enginesim.step.BlockHashes;
import java.util.ArrayList;
import java.util.List;

/** What happened since the last message, in order. */
final class KvEventBatch {
    private final List<Change> changes = new ArrayList<>();

    /** One event of a message. */
    sealed interface Change {}

    /** Blocks of a prompt from one to before another. */
    record Stored(BlockHashes prompt, int from, int to) implements Change {}

    record Removed(List<Long> hashes) implements Change {}

    record Cleared() implements Change {}

    /** @param together whether blocks that follow one another are one event, as in vLLM, or one each */
    void stored(BlockHashes prompt, int block, boolean together) {
        Change last = changes.isEmpty() ? null : changes.getLast();
        if (together && last instanceof Stored stored && stored.prompt() == prompt && stored.to() == block) {
            changes.set(changes.size() - 1, new Stored(prompt, stored.from(), block + 1));
        } else {
            changes.add(new Stored(prompt, block, block + 1));
        }
    }

    void removed(long hash) {
        if (!changes.isEmpty() && changes.getLast() instanceof Removed removed) {
            removed.hashes().add(hash);
        } else {
            List<Long> hashes = new ArrayList<>();
            hashes.add(hash);
            changes.add(new Removed(hashes));
        }
    }

    /** What was said before no longer matters. */
    void cleared() {
        changes.clear();
        changes.add(new Cleared());
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    List<Change> changes() {
        return changes;
    }

    void clear() {
        changes.clear();
    }
}
