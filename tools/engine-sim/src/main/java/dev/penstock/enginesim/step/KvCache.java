package dev.penstock.enginesim.step;

import java.util.Arrays;

/**
 * The KV cache in blocks, as vLLM's block pool keeps it. A block is free, held by one sequence alone, or <em>known</em>:
 * full, computed, and findable by the hash of the prompt up to its end. Known blocks are shared by the sequences that
 * found them; when the last of those lets go they count as free but stay findable until somebody needs the room, the
 * longest unused first. A sequence lets go of its blocks from the tail, so that of one prompt the tail is evicted first.
 *
 * <p>Only known blocks take memory, about 32 bytes each, and never more of them than the cache has blocks. Blocks of
 * generated text never become known. Not thread-safe.
 */
final class KvCache {
    static final int UNKNOWN = -1;

    private static final int FIRST_SLOTS = 64;

    private final int blocks;
    private final KvListener listener;
    private int limit;
    private int held;
    private int idle;

    // Known blocks, by slot. The idle ones are linked from the longest unused to the latest.
    private long[] hashes = new long[FIRST_SLOTS];
    private int[] users = new int[FIRST_SLOTS];
    private int[] older = new int[FIRST_SLOTS];
    private int[] newer = new int[FIRST_SLOTS];
    private int slots;
    private int unusedSlot = UNKNOWN;
    private int oldest = UNKNOWN;
    private int newest = UNKNOWN;
    // Open addressing, linear probing: hash to slot + 1, 0 = nothing.
    private int[] table = new int[FIRST_SLOTS * 2];

    KvCache(int blocks) {
        this(blocks, KvListener.NONE);
    }

    KvCache(int blocks, KvListener listener) {
        this.blocks = blocks;
        this.listener = listener;
        this.limit = blocks;
    }

    int size() {
        return blocks;
    }

    /** Blocks held by sequences; those that are only findable count as free. */
    int held() {
        return held;
    }

    int free() {
        return Math.max(0, limit - held);
    }

    /** Findable blocks that nobody holds. */
    int idle() {
        return idle;
    }

    /** Makes the cache smaller, or with its own size whole again. What is held stays until it is let go. */
    void limitTo(int usable) {
        limit = Math.min(blocks, usable);
        evictBeyondLimit();
    }

    /** How many blocks from the start of this prompt are known, at most this many. */
    int knownPrefix(BlockHashes prompt, int atMost) {
        int known = 0;
        while (known < atMost && known < prompt.count() && find(prompt.at(known)) != UNKNOWN) {
            known++;
        }
        return known;
    }

    /** Of the first blocks of a prompt, all known: how many are idle, and would have to come out of the free ones. */
    int idleAmong(BlockHashes prompt, int count) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            found += users[find(prompt.at(i))] == 0 ? 1 : 0;
        }
        return found;
    }

    /** Holds a known block. @return its slot */
    int share(long hash) {
        int slot = find(hash);
        if (users[slot]++ == 0) {
            unlink(slot);
            idle--;
            held++;
        }
        return slot;
    }

    /** Takes free blocks, which the caller has found to be there. */
    void take(int count) {
        held += count;
        evictBeyondLimit();
    }

    /** Lets go of blocks that never became known. */
    void give(int count) {
        held -= count;
    }

    /**
     * Makes a held block of a prompt known.
     *
     * @return its slot, or UNKNOWN when another block is known by this hash; then this one stays its holder's alone
     */
    int learn(long hash) {
        if (find(hash) != UNKNOWN) {
            return UNKNOWN;
        }
        int slot = newSlot();
        hashes[slot] = hash;
        users[slot] = 1;
        enter(hash, slot);
        return slot;
    }

    /** Lets go of a known block. */
    void release(int slot) {
        if (--users[slot] == 0) {
            held--;
            idle++;
            older[slot] = newest;
            newer[slot] = UNKNOWN;
            if (newest == UNKNOWN) {
                oldest = slot;
            } else {
                newer[newest] = slot;
            }
            newest = slot;
            evictBeyondLimit();
        }
    }

    /** Forgets all blocks that nobody holds. */
    void forgetIdle() {
        while (idle > 0) {
            evictOldest();
        }
    }

    private void evictBeyondLimit() {
        while (idle > 0 && held + idle > limit) {
            evictOldest();
        }
    }

    private void evictOldest() {
        int slot = oldest;
        unlink(slot);
        idle--;
        listener.removed(hashes[slot]);
        remove(hashes[slot]);
        newer[slot] = unusedSlot;
        unusedSlot = slot;
    }

    private void unlink(int slot) {
        if (older[slot] == UNKNOWN) {
            oldest = newer[slot];
        } else {
            newer[older[slot]] = newer[slot];
        }
        if (newer[slot] == UNKNOWN) {
            newest = older[slot];
        } else {
            older[newer[slot]] = older[slot];
        }
    }

    private int newSlot() {
        if (unusedSlot != UNKNOWN) {
            int slot = unusedSlot;
            unusedSlot = newer[slot];
            return slot;
        }
        if (slots == hashes.length) {
            grow();
        }
        return slots++;
    }

    private void grow() {
        int size = slots * 2;
        hashes = Arrays.copyOf(hashes, size);
        users = Arrays.copyOf(users, size);
        older = Arrays.copyOf(older, size);
        newer = Arrays.copyOf(newer, size);
        int[] old = table;
        table = new int[size * 2];
        for (int entry : old) {
            if (entry != 0) {
                enter(hashes[entry - 1], entry - 1);
            }
        }
    }

    private int find(long hash) {
        for (int i = home(hash); table[i] != 0; i = next(i)) {
            if (hashes[table[i] - 1] == hash) {
                return table[i] - 1;
            }
        }
        return UNKNOWN;
    }

    private void enter(long hash, int slot) {
        int i = home(hash);
        while (table[i] != 0) {
            i = next(i);
        }
        table[i] = slot + 1;
    }

    /** Closes the gap by moving up what would no longer be found, as linear probing without tombstones must. */
    private void remove(long hash) {
        int gap = home(hash);
        while (hashes[table[gap] - 1] != hash) {
            gap = next(gap);
        }
        table[gap] = 0;
        for (int i = next(gap); table[i] != 0; i = next(i)) {
            int home = home(hashes[table[i] - 1]);
            int mask = table.length - 1;
            if (((i - home) & mask) >= ((i - gap) & mask)) {
                table[gap] = table[i];
                table[i] = 0;
                gap = i;
            }
        }
    }

    private int home(long hash) {
        return (int) (hash ^ (hash >>> 32)) & (table.length - 1);
    }

    private int next(int i) {
        return (i + 1) & (table.length - 1);
    }
}
