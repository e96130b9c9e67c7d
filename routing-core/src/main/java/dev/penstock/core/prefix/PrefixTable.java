package dev.penstock.core.prefix;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which replicas had which blocks last: up to 4 of each, and of more than 4 that had it within a 16th of the TTL just that
 * everybody has it, which favours nobody. All memory is taken at once: 40 bytes a block. A block has 8 places, by its hash;
 * where all are taken, the one used longest ago makes room.
 *
 * <pre>
 *   keys     hash 0 | hash 1 | ... | hash 7         0 = free
 *   owners   4 x {@link Owner} each, the last seen first; or EVERYBODY
 * </pre>
 *
 * Any thread reads, without a lock: the hash is read before and after its owners, and a writer of another hash clears it
 * first. Writers take a try-lock of 1,024, spin 64 times at most, and let the update be lost then: all of this is a hint.
 */
public final class PrefixTable {
    /** A place whose time is told in so many parts of the TTL. */
    private static final int TICKS_PER_TTL = 1_024;

    /** A block in use is news again each 8th of the TTL, so that others keep it as well. */
    private static final int NEWS_SHIFT = 7;

    private static final int RECENT_TICKS = TICKS_PER_TTL / 16;
    private static final int WAYS = 8;
    private static final int OWNERS = PrefixMatch.MOST_OWNERS;
    private static final int LOCKS = 1_024;
    private static final int SPINS = 64;
    private static final long LEAST_TICK_NANOS = 1_000_000;
    private static final int ABSENT = -1;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle LOCK = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int UNKNOWN = Integer.MIN_VALUE;

    private final long[] keys;
    private final long[] owners;
    private final int[] locks = new int[LOCKS];
    private final Forgotten forgotten = new Forgotten();
    private final int buckets;
    private final int ttlTicks;
    private final long tickNanos;
    /** Of all threads; written once a tick. */
    private volatile int latestTick = UNKNOWN;

    /**
     * @param mostBlocks that are known at a time, 8 at least; rounded down to a multiple of 8
     * @param ttlNanos how long an owner counts after it was last seen; about the time after which engines evict
     */
    public PrefixTable(int mostBlocks, long ttlNanos) {
        if (mostBlocks < WAYS || mostBlocks > Integer.MAX_VALUE / OWNERS / 2) {
            throw new IllegalArgumentException("prefix table: most blocks " + mostBlocks + ", expected " + WAYS + " to "
                    + Integer.MAX_VALUE / OWNERS / 2);
        }
        if (ttlNanos < LEAST_TICK_NANOS) {
            throw new IllegalArgumentException("prefix table: TTL " + ttlNanos + " ns, expected 1 ms at least");
        }
        buckets = mostBlocks / WAYS;
        keys = new long[buckets * WAYS];
        owners = new long[keys.length * OWNERS];
        Arrays.fill(owners, Owner.NONE);
        tickNanos = Math.max(LEAST_TICK_NANOS, ttlNanos / TICKS_PER_TTL);
        ttlTicks = (int) (ttlNanos / tickNanos);
    }

    /** Bytes that a table of so many blocks takes. */
    public static long bytesOf(int mostBlocks) {
        return (long) mostBlocks * (1 + OWNERS) * Long.BYTES + 4L * LOCKS + 16L * 1_024;
    }

    /**
     * Tells who has how much of a prompt: the longest match and, down from it, the next shorter ones of others, 4 in all.
     * About 7 look-ups of a prompt that is not known, 20 of one that is: an owner of a block has those before it, so the ends
     * are found by halving.
     *
     * @return how many blocks somebody has
     */
    public int find(PrefixChain chain, long nowNanos, PrefixMatch out) {
        out.clear();
        int tick = tick(nowNanos);
        int deepest = deepest(chain, tick, out);
        for (int depth = deepest; depth >= 0; depth = nextOther(chain, depth, tick, out)) {
            if (!collect(chain, depth, tick, out)) break;
        }
        return deepest + 1;
    }

    /** The last known block, or -1. A block may be gone though later ones are not: halving ends there, so it looks beyond. */
    private int deepest(PrefixChain chain, int tick, PrefixMatch out) {
        int unknown = chain.blocks();
        if (unknown == 0) return -1;
        if (!known(chain, 0, tick, out) && (unknown == 1 || !known(chain, 1, tick, out))) return -1;
        int known = 0;
        while (true) {
            while (unknown - known > 1) {
                int middle = known + unknown >>> 1;
                if (known(chain, middle, tick, out)) known = middle;
                else unknown = middle;
            }
            int beyond = known + 2;
            if (beyond >= chain.blocks() || !known(chain, beyond, tick, out)) break;
            known = beyond;
            unknown = chain.blocks();
        }
        return known == 0 && !known(chain, 0, tick, out) ? -1 : known;
    }

    private boolean known(PrefixChain chain, int depth, int tick, PrefixMatch out) {
        int row = row(chain, depth, out);
        if (row == ABSENT) return false;
        for (int i = row; i < row + OWNERS; i++) if (counts(owner(i), tick)) return true;
        return false;
    }

    /** The deepest block before this one that has an owner who is not told yet, or that everybody has; -1 of none. */
    private int nextOther(PrefixChain chain, int depth, int tick, PrefixMatch out) {
        if (depth == 0 || !tellsOther(chain, 0, tick, out)) return -1;
        int yes = 0;
        int no = depth;
        while (no - yes > 1) {
            int middle = yes + no >>> 1;
            if (tellsOther(chain, middle, tick, out)) yes = middle;
            else no = middle;
        }
        return yes;
    }

    private boolean tellsOther(PrefixChain chain, int depth, int tick, PrefixMatch out) {
        int row = row(chain, depth, out);
        if (row == ABSENT) return false;
        for (int i = row; i < row + OWNERS; i++) {
            long owner = owner(i);
            int number = Owner.number(owner);
            boolean other = number == Owner.EVERYBODY || !out.full() && !out.has(number);
            if (other && counts(owner, tick)) return true;
        }
        return false;
    }

    /** Tells the owners of one block, if it is still the one that was found; false when everybody has it. */
    private boolean collect(PrefixChain chain, int depth, int tick, PrefixMatch out) {
        int row = row(chain, depth, out);
        if (row == ABSENT) return true;
        long first = owner(row);
        long second = owner(row + 1);
        long third = owner(row + 2);
        long fourth = owner(row + 3);
        VarHandle.loadLoadFence();
        if ((long) LONGS.getOpaque(keys, row / OWNERS) != chain.hash(depth)) return true;
        if (Owner.number(first) == Owner.EVERYBODY && counts(first, tick)) {
            out.wide(depth + 1);
            return false;
        }
        tell(first, depth, tick, out);
        tell(second, depth, tick, out);
        tell(third, depth, tick, out);
        tell(fourth, depth, tick, out);
        return true;
    }

    private void tell(long owner, int depth, int tick, PrefixMatch out) {
        int number = Owner.number(owner);
        if (counts(owner, tick) && !out.full() && !out.has(number)) out.add(number, depth + 1);
    }

    private boolean counts(long owner, int tick) {
        int number = Owner.number(owner);
        if (number == Owner.NOBODY || tick - Owner.tick(owner) > ttlTicks) return false;
        return number == Owner.EVERYBODY || !forgotten.covers(owner);
    }

    /** Where the owners of a block are; looked up once a search. */
    private int row(PrefixChain chain, int depth, PrefixMatch out) {
        if ((out.looked >>> depth & 1) != 0) return out.rows[depth];
        out.looked |= 1L << depth;
        long hash = chain.hash(depth);
        int key = key(hash, bucket(hash) * WAYS);
        int row = key == ABSENT ? ABSENT : key * OWNERS;
        out.rows[depth] = row;
        return row;
    }

    private int key(long hash, int from) {
        for (int i = from; i < from + WAYS; i++) if ((long) LONGS.getOpaque(keys, i) == hash) return i;
        return ABSENT;
    }

    private int bucket(long hash) {
        return (int) Math.unsignedMultiplyHigh(hash, buckets);
    }

    /**
     * A replica has all blocks of a prompt: it was sent it.
     *
     * @return of block i, bit i: news to others, which {@link #learn(long, int, long)} defines
     */
    public long learn(PrefixChain chain, int replicaNumber, long nowNanos) {
        long news = 0;
        for (int i = 0; i < chain.blocks(); i++) if (learn(chain.hash(i), replicaNumber, nowNanos)) news |= 1L << i;
        return news;
    }

    /**
     * A replica has a block.
     *
     * @param nowNanos when it was seen: may be in the past, of what is read back
     * @return true when other routers should be told: it was not known, or an eighth of the TTL has begun since
     */
    public boolean learn(long hash, int replicaNumber, long nowNanos) {
        if (hash == 0 || replicaNumber == Owner.NOBODY || replicaNumber == Owner.EVERYBODY) return false;
        int tick = tick(nowNanos);
        // What is told as of now came after what was forgotten, in the same tick as well.
        if (tick == latestTick) tick = forgotten.after(replicaNumber, tick);
        int bucket = bucket(hash);
        int key = key(hash, bucket * WAYS);
        if (key != ABSENT && owner(key * OWNERS) == Owner.of(replicaNumber, tick)) return false;
        if (!lock(bucket)) return false;
        try {
            key = key(hash, bucket * WAYS);
            if (key != ABSENT) return renew(key * OWNERS, replicaNumber, tick);
            return insert(hash, bucket * WAYS, replicaNumber, tick);
        } finally {
            unlock(bucket);
        }
    }

    private boolean insert(long hash, int from, int replicaNumber, int tick) {
        int key = from;
        for (int i = from; i < from + WAYS; i++) {
            if ((long) LONGS.getOpaque(keys, i) == 0) {
                key = i;
                break;
            }
            if (Owner.tick(owner(i * OWNERS)) - Owner.tick(owner(key * OWNERS)) < 0) key = i;
        }
        int row = key * OWNERS;
        boolean taken = (long) LONGS.getOpaque(keys, key) != 0;
        if (taken && Owner.tick(owner(row)) - tick > 0) return false;
        LONGS.setRelease(keys, key, 0L);
        VarHandle.storeStoreFence();
        setOwner(row, Owner.of(replicaNumber, tick));
        for (int i = row + 1; i < row + OWNERS; i++) setOwner(i, Owner.NONE);
        LONGS.setRelease(keys, key, hash);
        return true;
    }

    /** Moves the owner to where its time has it; the one seen longest ago, or who does not count any more, makes room. */
    private boolean renew(int row, int replicaNumber, int tick) {
        boolean wide = Owner.number(owner(row)) == Owner.EVERYBODY && counts(owner(row), tick);
        int number = wide ? Owner.EVERYBODY : replicaNumber;
        int gap = row;
        while (gap < row + OWNERS - 1 && Owner.number(owner(gap)) != number) gap++;
        long before = owner(gap);
        boolean among = Owner.number(before) == number;
        boolean counted = counts(before, tick);
        int sinceTicks = tick - Owner.tick(before);
        if (counted && sinceTicks < 0) return false;
        if (!among && counted && sinceTicks <= RECENT_TICKS) {
            setOwner(row, Owner.of(Owner.EVERYBODY, tick));
            for (int i = row + 1; i < row + OWNERS; i++) setOwner(i, Owner.NONE);
            return true;
        }
        for (; gap > row && after(tick, owner(gap - 1)); gap--) setOwner(gap, owner(gap - 1));
        setOwner(gap, Owner.of(number, tick));
        return !among || !counted || Owner.tick(before) >> NEWS_SHIFT != tick >> NEWS_SHIFT;
    }

    private static boolean after(int tick, long owner) {
        return Owner.number(owner) == Owner.NOBODY || tick - Owner.tick(owner) >= 0;
    }

    /** A replica has a block no longer. */
    public void forget(long hash, int replicaNumber) {
        int bucket = bucket(hash);
        if (hash == 0 || !lock(bucket)) return;
        try {
            int key = key(hash, bucket * WAYS);
            if (key == ABSENT) return;
            int row = key * OWNERS;
            int left = row;
            for (int i = row; i < row + OWNERS; i++) {
                if (Owner.number(owner(i)) != replicaNumber) setOwner(left++, owner(i));
            }
            while (left < row + OWNERS) setOwner(left++, Owner.NONE);
            if (owner(row) == Owner.NONE) LONGS.setRelease(keys, key, 0L);
        } finally {
            unlock(bucket);
        }
    }

    /** A replica has lost its whole cache, or is gone. What is learned of it after this call counts again. */
    public void forgetReplica(int replicaNumber) {
        int latest = latestTick;
        if (latest != UNKNOWN) forgotten.add(replicaNumber, latest);
    }

    /** How many blocks are known, some of which may have expired. Goes through all. */
    public int size() {
        int size = 0;
        for (int i = 0; i < keys.length; i++) if ((long) LONGS.getOpaque(keys, i) != 0) size++;
        return size;
    }

    private int tick(long nowNanos) {
        int tick = (int) Math.floorDiv(nowNanos, tickNanos);
        int latest = latestTick;
        if (latest == UNKNOWN || tick - latest > 0) latestTick = tick;
        return tick;
    }

    private long owner(int at) {
        return (long) LONGS.getOpaque(owners, at);
    }

    private void setOwner(int at, long owner) {
        LONGS.setOpaque(owners, at, owner);
    }

    private boolean lock(int bucket) {
        int at = bucket & LOCKS - 1;
        for (int spin = 0; spin < SPINS; spin++) {
            if ((int) LOCK.getOpaque(locks, at) == 0 && LOCK.compareAndSet(locks, at, 0, 1)) return true;
            Thread.onSpinWait();
        }
        return false;
    }

    private void unlock(int bucket) {
        LOCK.setRelease(locks, bucket & LOCKS - 1, 0);
    }
}
