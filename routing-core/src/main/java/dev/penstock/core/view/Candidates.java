package dev.penstock.core.view;

import dev.penstock.core.index.LoadIndex;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that serve a model, and an index of them by how far they are excluded and how loaded they are. The index is
 * a hint: whoever picks judges what it names by the cells' numbers. Every event loop reads and corrects it, under a lock
 * that nobody waits for: after {@value #SPINS} looks a reader goes without the index, and a correction is left behind as a
 * bit for the next holder. It is held for some 50 ns; its holder may lose the processor for milliseconds.
 */
public final class Candidates {
    /** What {@link #lowest} returns when somebody else has the index. */
    public static final int CONTENDED = -1;

    static final int SPINS = 64;

    /** Of each class, mildest exclusion first. Excluded replicas need no fine order. */
    private static final int[] BUCKETS = {2_048, 256, 256, 256, 256};

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
    /** Made when it is first needed: a roster that is being read makes many images that nobody asks. */
    private @Nullable LoadIndex index;

    /** Slots whose place is no longer right, a bit each. */
    private final long[] leftBehind;

    private final AtomicBoolean held = new AtomicBoolean();
    private final AtomicBoolean behind = new AtomicBoolean();
    private volatile boolean closed;

    private volatile int bucketBits = FIRST_BITS;

    /** @param before whose place it takes: the loads are about the same, so buckets are as wide */
    Candidates(ReplicaEntry[] entries, PoolLoad pool, long[][] chunks, @Nullable Candidates before) {
        if (before != null) bucketBits = before.bucketBits;
        this.entries = entries;
        this.pool = pool;
        this.chunks = chunks;
        this.rowId = new int[entries.length];
        for (int slot = 0; slot < entries.length; slot++)
            rowId[slot] = entries[slot].cell().row().id;
        this.leftBehind = new long[(entries.length >>> 6) + 1];
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
    public int lowest(int[] out, int most, long draw, int[] counts) {
        if (!acquire()) return CONTENDED;
        try {
            LoadIndex ready = ready();
            count(ready, counts);
            return ready.lowest(out, most, draw);
        } finally {
            release();
        }
    }

    /** How many are in each class of {@link ReplicaCell.Exclusion}, as a look without the lock finds it. */
    public void count(int[] counts) {
        LoadIndex made = index;
        if (made == null && acquire()) {
            try {
                made = ready();
            } finally {
                release();
            }
        }
        if (made != null) count(made, counts);
        else Arrays.fill(counts, 0);
    }

    private static void count(LoadIndex made, int[] counts) {
        for (int i = 0; i < BUCKETS.length; i++) counts[i] = made.classSize(i);
    }

    /** Something about the slot has changed: puts it where it belongs, now or with the next holder. */
    public void touch(int slot) {
        if (closed) return;
        if (acquire()) {
            try {
                place(ready(), slot);
            } finally {
                release();
            }
        } else {
            WORD.getAndBitwiseOr(leftBehind, slot >>> 6, 1L << slot);
            behind.setRelease(true);
        }
    }

    /** Called by the holder: the index, up to date. */
    private LoadIndex ready() {
        LoadIndex made = index;
        if (made == null) {
            made = new LoadIndex(entries.length, BUCKETS);
            index = made;
            for (int slot = 0; slot < entries.length; slot++) {
                // Told of changes first, then placed: no change is missed.
                entries[slot].cell().join(this, slot);
                place(made, slot);
            }
        }
        if (behind.getAcquire()) catchUp(made);
        return made;
    }

    private void catchUp(LoadIndex made) {
        behind.set(false);
        for (int word = 0; word < leftBehind.length; word++) {
            if ((long) WORD.getAcquire(leftBehind, word) == 0) continue;
            long bits = (long) WORD.getAndSet(leftBehind, word, 0L);
            for (; bits != 0; bits &= bits - 1) place(made, (word << 6) + Long.numberOfTrailingZeros(bits));
        }
    }

    private void place(LoadIndex made, int slot) {
        long[] words = row(slot);
        int at = rowAt(slot);
        int own = HotRow.own(words, at);
        int inClass = HotRow.inClass(words, at, own);
        if (inClass == HotRow.NO_CANDIDATE) {
            made.remove(slot);
            return;
        }
        int bits = inClass == ROUTABLE ? bucketBits : bucketBits + COARSER_BITS;
        long load = HotRow.loadMilli(own, HotRow.peersMilli(words, at, own), HotRow.biasMilli(words, at));
        made.put(slot, inClass, load >> bits);
    }

    /** Called by the view's writer after each sweep: keeps buckets about as wide as they should be. */
    void rescale() {
        if (!acquire()) return;
        try {
            LoadIndex ready = ready();
            if (ready.classSize(ROUTABLE) == 0) return;
            int median = ready.medianBucket(ROUTABLE);
            int bits = bucketBits;
            if (median > MEDIAN_MOST && bits < COARSEST_BITS) bits++;
            else if (median < MEDIAN_LEAST && bits > FINEST_BITS) bits--;
            if (bits == bucketBits) return;
            bucketBits = bits;
            for (int slot = 0; slot < entries.length; slot++) place(ready, slot);
            ready.trim();
        } finally {
            release();
        }
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
