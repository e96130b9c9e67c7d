package dev.penstock.core.view;

import dev.penstock.core.index.LoadIndex;
import dev.penstock.core.session.PlacementRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that serve a model, and indexes of them by how far they are excluded and how loaded they are: one by score,
 * one by load alone, each made when a strategy first asks for it. An index is a hint: whoever picks judges what it names by the
 * cells' numbers. Every event loop reads and corrects it, under a lock that nobody waits for: after {@value #SPINS} looks a
 * reader goes without the index, and a correction is left behind as a bit for the next holder. It is held for some 50 ns; its
 * holder may lose the processor for milliseconds.
 */
public final class Candidates {
    /** What {@link #lowest} returns when somebody else has the index. */
    public static final int CONTENDED = -1;

    static final int SPINS = 64;

    /** Of each class, mildest exclusion first. Excluded replicas need no fine order. */
    private static final int[] BUCKETS = {2_048, 256, 256, 256, 256, 256, 256};

    /** What replicas are compared by. */
    public enum Basis {
        /** Requests, whatever the replica: {@link HotRow#loadMilli}. */
        LOAD,
        /** Requests by what they weigh there: {@link HotRow#scoreMilli}. */
        SCORE
    }

    private static final Basis[] BASES = Basis.values();

    /** The least score there is, thousandths. */
    private static final int LEAST_SCORE_MILLI = -HotRow.MILLI;

    /**
     * Replicas that one decision puts where they belong; more are left to the sweep: it is a model that is seldom asked for,
     * and its replicas change with all others that they serve.
     */
    private static final int MOST_CAUGHT_UP = 256;

    private static final int ROUTABLE = ReplicaCell.Exclusion.NONE.ordinal();
    private static final int COARSER_BITS = 3;

    /** The median load is kept between these buckets, so that a bucket is 0.2 to 0.8 % of it. */
    private static final int MEDIAN_LEAST = 128;

    private static final int MEDIAN_MOST = 512;
    /** Buckets of 16 thousandths of a request at the finest. */
    private static final int FINEST_BITS = 4;

    private static final int FIRST_BITS = 6;
    private static final int COARSEST_BITS = 24;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final ReplicaEntry[] entries;
    private final PoolLoad pool;
    private final long[][] chunks;
    private final int[] rowId;
    /** Of the replicas, rising. */
    private final int[] numbers;

    /** Made when it is first needed: a roster that is being read makes many images that nobody asks. */
    private final @Nullable LoadIndex[] indexes = new LoadIndex[BASES.length];

    /** A strategy has asked for it, of these candidates or of those before them: the sweep makes it, not the next request. */
    private final boolean[] wanted = new boolean[BASES.length];

    /** Slots whose place is no longer right, a bit each. */
    private final long[] leftBehind;

    private final AtomicBoolean held = new AtomicBoolean();
    private final AtomicBoolean behind = new AtomicBoolean();
    private volatile boolean closed;

    private final int[] bucketBits = {FIRST_BITS, FIRST_BITS};
    private volatile @Nullable PlacementRing ring;

    /** @param before whose place it takes: the loads are about the same, so buckets are as wide */
    Candidates(ReplicaEntry[] entries, PoolLoad pool, long[][] chunks, @Nullable Candidates before) {
        if (before != null) {
            System.arraycopy(before.bucketBits, 0, bucketBits, 0, bucketBits.length);
            for (Basis basis : BASES) wanted[basis.ordinal()] = before.wanted[basis.ordinal()];
        }
        this.entries = entries;
        this.pool = pool;
        this.chunks = chunks;
        this.rowId = new int[entries.length];
        this.numbers = new int[entries.length];
        for (int slot = 0; slot < entries.length; slot++) {
            rowId[slot] = entries[slot].cell().row().id;
            numbers[slot] = entries[slot].replica().number();
        }
        this.leftBehind = new long[(entries.length >>> 6) + 1];
        // On the writer's time, not on that of the next request: 2,000 replicas take some milliseconds.
        if (before != null && before.ring != null) ring();
    }

    /** By slot. Not to be written to. */
    public ReplicaEntry[] entries() {
        return entries;
    }

    public ReplicaEntry entry(int slot) {
        return entries[slot];
    }

    /** The words of a slot's {@link HotRow}. Not to be written to. */
    public long[] row(int slot) {
        return chunks[HotRow.chunkOf(rowId[slot])];
    }

    /** Where in them the row begins. */
    public int rowAt(int slot) {
        return HotRow.placeOf(rowId[slot]);
    }

    /**
     * Looks at the rows of the slots one after the other, so that the processor waits for all of them at once.
     *
     * @return of no meaning, and to be kept: what nobody keeps is not worked out
     */
    public long fetch(int[] slots, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) seen += HotRow.ends(row(slots[i]), rowAt(slots[i]));
        return seen;
    }

    public int size() {
        return entries.length;
    }

    /** How the pool does as a whole, as of the last refresh. */
    public PoolLoad pool() {
        return pool;
    }

    /**
     * Slots of the least excluded, the least loaded first as far as the index knows.
     *
     * @param counts takes how many are in each class of {@link ReplicaCell.Exclusion}
     * @return how many slots were written to {@code out}, or {@link #CONTENDED}
     */
    public int lowest(Basis basis, int[] out, int most, long draw, int[] counts) {
        if (!acquire()) return CONTENDED;
        try {
            LoadIndex ready = ready(basis, MOST_CAUGHT_UP);
            count(ready, counts);
            return ready.lowest(out, most, draw);
        } finally {
            release();
        }
    }

    /** How many are in each class of {@link ReplicaCell.Exclusion}, as a look without the lock finds it. */
    public void count(int[] counts) {
        LoadIndex made = anyIndex();
        if (made == null && acquire()) {
            try {
                made = ready(Basis.SCORE, MOST_CAUGHT_UP);
            } finally {
                release();
            }
        }
        if (made != null) count(made, counts);
        else Arrays.fill(counts, 0);
    }

    private @Nullable LoadIndex anyIndex() {
        LoadIndex byScore = indexes[Basis.SCORE.ordinal()];
        return byScore != null ? byScore : indexes[Basis.LOAD.ordinal()];
    }

    private static void count(LoadIndex made, int[] counts) {
        for (int i = 0; i < BUCKETS.length; i++) counts[i] = made.classSize(i);
    }

    /** Something about the slot has changed: puts it where it belongs, now or with the next holder. */
    public void touch(int slot) {
        if (closed) return;
        if (acquire()) {
            try {
                if (behind.getAcquire()) catchUp(MOST_CAUGHT_UP);
                place(slot);
            } finally {
                release();
            }
        } else {
            leave(slot);
        }
    }

    /** The same, left to the next holder. */
    void leave(int slot) {
        if (closed) return;
        WORD.getAndBitwiseOr(leftBehind, slot >>> 6, 1L << slot);
        // A write for each would be the cache line that all event loops wait for.
        if (!behind.get()) behind.set(true);
    }

    /** Called by the holder: the index, up to date but for what is more than {@code most}. */
    private LoadIndex ready(Basis basis, int most) {
        LoadIndex made = indexes[basis.ordinal()];
        if (made == null) {
            made = new LoadIndex(entries.length, BUCKETS);
            boolean first = anyIndex() == null;
            indexes[basis.ordinal()] = made;
            wanted[basis.ordinal()] = true;
            for (int slot = 0; slot < entries.length; slot++) {
                // Told of changes first, then placed: no change is missed.
                if (first) entries[slot].cell().join(this, slot);
                place(made, basis, slot);
            }
            while (rescale(made, basis)) {}
        }
        if (behind.getAcquire()) catchUp(most);
        return made;
    }

    private void catchUp(int most) {
        behind.set(false);
        int left = most;
        for (int word = 0; word < leftBehind.length; word++) {
            if ((long) WORD.getVolatile(leftBehind, word) == 0) continue;
            if (left <= 0) {
                behind.setRelease(true);
                return;
            }
            long bits = (long) WORD.getAndSet(leftBehind, word, 0L);
            left -= Long.bitCount(bits);
            for (; bits != 0; bits &= bits - 1) place((word << 6) + Long.numberOfTrailingZeros(bits));
        }
    }

    private void place(int slot) {
        for (Basis basis : BASES) {
            LoadIndex made = indexes[basis.ordinal()];
            if (made != null) place(made, basis, slot);
        }
    }

    private void place(LoadIndex made, Basis basis, int slot) {
        long[] words = row(slot);
        int at = rowAt(slot);
        int own = HotRow.own(words, at);
        int inClass = HotRow.inClass(words, at);
        if (inClass == HotRow.NO_CANDIDATE) {
            made.remove(slot);
            return;
        }
        int bits = bucketBits[basis.ordinal()] + (inClass == ROUTABLE ? 0 : COARSER_BITS);
        long load = HotRow.loadMilli(own, HotRow.peersMilli(words, at, own), HotRow.biasMilli(words, at));
        long key = basis == Basis.LOAD ? load : HotRow.scoreMilli(load, HotRow.weight(words, at)) - LEAST_SCORE_MILLI;
        made.put(slot, inClass, key >> bits);
    }

    /** Called by the view's writer after each sweep: keeps buckets about as wide as they should be. */
    void rescale() {
        if (!acquire()) return;
        try {
            if (behind.getAcquire()) catchUp(Integer.MAX_VALUE);
            for (Basis basis : BASES) {
                if (!wanted[basis.ordinal()]) continue;
                LoadIndex made = ready(basis, Integer.MAX_VALUE);
                // Scores may be many times what they were: a pool whose KV caches are full is heard of again.
                while (rescale(made, basis)) {}
            }
        } finally {
            release();
        }
    }

    /** Returns whether the buckets are of another width now: they are halved or doubled. */
    private boolean rescale(LoadIndex made, Basis basis) {
        if (made.classSize(ROUTABLE) == 0) return false;
        int median = made.medianBucket(ROUTABLE);
        int bits = bucketBits[basis.ordinal()];
        if (median > MEDIAN_MOST && bits < COARSEST_BITS) bits++;
        else if (median < MEDIAN_LEAST && bits > FINEST_BITS) bits--;
        if (bits == bucketBits[basis.ordinal()]) return false;
        bucketBits[basis.ordinal()] = bits;
        for (int slot = 0; slot < entries.length; slot++) place(made, basis, slot);
        made.trim();
        return true;
    }

    /** Where sessions belong that nobody has pinned. Made when it is first asked for. */
    public PlacementRing ring() {
        PlacementRing made = ring;
        if (made != null) return made;
        made = PlacementRing.of(numbers);
        ring = made;
        return made;
    }

    /** The slot of the replica of that number, or -1. */
    public int slotOf(int number) {
        if (numbers.length == 0) return -1;
        // Numbers rise, and few are missing: it is there, or not far before.
        int most = number - numbers[0];
        if (most < 0) return -1;
        if (most < numbers.length && numbers[most] == number) return most;
        int slot = Arrays.binarySearch(numbers, 0, Math.min(most, numbers.length), number);
        return slot < 0 ? -1 : slot;
    }

    /** Another image has taken this one's place. */
    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    /** Bounded: never waits for a holder that lost its processor. */
    private boolean acquire() {
        for (int i = 0; i < SPINS; i++) {
            if (!held.getAcquire() && held.compareAndSet(false, true)) return true;
            Thread.onSpinWait();
        }
        return false;
    }

    private void release() {
        held.setRelease(false);
    }

    /** For tests: takes the lock as a holder that lost its processor has it. */
    boolean hold() {
        return acquire();
    }

    void letGo() {
        release();
    }
}
