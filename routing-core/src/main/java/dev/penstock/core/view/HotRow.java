package dev.penstock.core.view;

import dev.penstock.core.ledger.SlotCell;
import dev.penstock.model.Freshness;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collection;

/**
 * The numbers of a replica that decisions read, eight words side by side: of ten thousand replicas a decision looks at eight,
 * none of which the processor has at hand, and each costs it one or two cache lines. Readers get a word at a time; the words
 * may be of different moments, which is as good as a hint needs.
 *
 * <pre>
 * word 0   own in-flight (16), slots held (16), target (16)         every event loop and the ledger's thread, atomically
 *      1   peers' in-flight, thousandths (32), extrapolation (32)   the view's writer
 *      2   own in-flight at the snapshot (32), bias, thousandths (32)
 *      3   own in-flight at most (32), weight, 1,024ths (24), causes of the bias (8)
 *      4   replica number (32), waiting (16), KV cache in use, thousandths + 1 (16)
 *      5   time of the sample
 *      6   sampling interval, ms (32), seen (1), held (1)
 *      7   class of exclusion, or none: no candidate                whoever changes it
 * </pre>
 */
public final class HotRow {
    /** A request in thousandths. */
    static final int MILLI = 1_000;

    /** In word 7: never seen FRESH, or asleep. */
    static final int NO_CANDIDATE = ReplicaCell.Exclusion.values().length;

    private static final int WORDS = 8;
    private static final int CHUNK_BITS = 8;
    private static final int ROWS = 1 << CHUNK_BITS;
    /** Behind the header of the array, so that a row is a cache line where the array begins at one. */
    private static final int FIRST = 6;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int OWN = 0;
    private static final int PEERS = 1;
    private static final int SNAPSHOT = 2;
    private static final int LIMIT = 3;
    private static final int ENGINE = 4;
    private static final int SAMPLED = 5;
    private static final int SIGNAL = 6;
    private static final int CLASS = 7;

    /** What a request weighs at a replica of the pool's middle capacity whose KV cache is empty. */
    public static final int EVEN_WEIGHT = 1 << 10;

    static final int MOST_WEIGHT = (1 << 24) - 1;
    private static final int WEIGHT_SHIFT = 8;
    private static final int CAUSES = 0xFF;
    private static final long LOW_INT = 0xFFFF_FFFFL;
    private static final int MOST_SHORT = 0xFFFF;
    /** There was a sample. */
    public static final int SEEN = 1;

    /** It is at best STALE. */
    public static final int HELD = 2;

    private static final int PPM_PER_THOUSANDTH = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    final long[] words;
    final int at;
    /** Tells {@link Rows} where it is. */
    final int id;

    private HotRow(long[] words, int at, int id) {
        this.words = words;
        this.at = at;
        this.id = id;
        set(LIMIT, (long) Integer.MAX_VALUE << 32 | EVEN_WEIGHT << WEIGHT_SHIFT);
        set(OWN, SlotCell.UNLIMITED);
        set(CLASS, NO_CANDIDATE);
    }

    /** Rows side by side. One that its replica has left is not used again: requests may still count in it. One writer. */
    static final class Rows {
        private long[][] chunks = {};
        private int used;

        HotRow next() {
            int chunk = used >>> CHUNK_BITS;
            if (chunk == chunks.length) {
                chunks = Arrays.copyOf(chunks, chunk + 1);
                chunks[chunk] = new long[FIRST + ROWS * WORDS];
            }
            int id = used++;
            return new HotRow(chunks[chunk], placeOf(id), id);
        }

        /** The table as of now, in which the rows of these replicas are found; what holds none of them is let go. */
        long[][] chunksOf(Collection<ReplicaEntry> entries) {
            long[][] kept = new long[chunks.length][];
            for (ReplicaEntry entry : entries)
                kept[chunkOf(entry.cell().row().id)] = entry.cell().row().words;
            int next = chunkOf(used);
            if (next < kept.length) kept[next] = chunks[next];
            chunks = kept;
            return kept;
        }
    }

    static int chunkOf(int id) {
        return id >>> CHUNK_BITS;
    }

    static int placeOf(int id) {
        return FIRST + WORDS * (id & ROWS - 1);
    }

    /** A row by itself. */
    static HotRow alone() {
        return new Rows().next();
    }

    private void set(int word, long value) {
        WORD.setRelease(words, at + word, value);
    }

    private static long get(long[] words, int index) {
        return (long) WORD.getOpaque(words, index);
    }

    /** See {@link SlotCell#admit}. */
    static boolean admit(long[] words, int at) {
        return SlotCell.admit(words, at + OWN);
    }

    /** See {@link SlotCell#release}. */
    static boolean release(long[] words, int at) {
        return SlotCell.release(words, at + OWN);
    }

    /** Word 0, as the ledger moves it. */
    SlotCell slots() {
        return new SlotCell(words, at + OWN);
    }

    void number(int number) {
        set(ENGINE, (long) number << 32 | get(words, at + ENGINE) & LOW_INT);
    }

    void peers(int milli) {
        set(PEERS, (long) milli << 32 | get(words, at + PEERS) & LOW_INT);
    }

    /** @param perRequestMilli what peers are taken to send for each request that this router sends from here on */
    void snapshot(int perRequestMilli) {
        set(PEERS, get(words, at + PEERS) & ~LOW_INT | perRequestMilli & LOW_INT);
        set(SNAPSHOT, (long) own(words, at) << 32 | get(words, at + SNAPSHOT) & LOW_INT);
    }

    void bias(int milli, int causes, int ownMost) {
        set(SNAPSHOT, get(words, at + SNAPSHOT) & ~LOW_INT | milli & LOW_INT);
        set(LIMIT, (long) ownMost << 32 | get(words, at + LIMIT) & LOW_INT & ~CAUSES | causes);
    }

    /** @param weight see {@link Weight} */
    void weight(int weight) {
        long rest = get(words, at + LIMIT) & ~((long) MOST_WEIGHT << WEIGHT_SHIFT);
        set(LIMIT, rest | (long) weight << WEIGHT_SHIFT);
    }

    void sample(ReplicaCell.Telemetry t) {
        int kvUsed = t.kvUsedPpm() < 0 ? 0 : Math.min(t.kvUsedPpm() / PPM_PER_THOUSANDTH + 1, MOST_SHORT);
        long number = get(words, at + ENGINE) & ~LOW_INT;
        set(ENGINE, number | (long) Math.clamp(t.waiting(), 0, MOST_SHORT) << 16 | kvUsed);
        set(SAMPLED, t.sampledAtNanos());
        set(SIGNAL, t.intervalNanos() / NANOS_PER_MILLI << 32 | (t.seen() ? SEEN : 0) | (t.held() ? HELD : 0));
    }

    /** @param value a class of exclusion without those that follow from own in-flight, the ramp's and the slots'; or NO_CANDIDATE */
    void inClass(int value) {
        set(CLASS, value);
    }

    /** Of no meaning: a look at both ends, which may lie in two cache lines. */
    static long ends(long[] words, int at) {
        return words[at + OWN] + words[at + CLASS];
    }

    public static int own(long[] words, int at) {
        return SlotCell.used(get(words, at + OWN));
    }

    /**
     * Peers' in-flight in thousandths: as estimated from their vectors, and something more for each request that this router
     * has sent there since, because what made the replica attractive here made it so elsewhere.
     */
    public static int peersMilli(long[] words, int at, int ownNow) {
        long peers = get(words, at + PEERS);
        int snapshot = (int) (get(words, at + SNAPSHOT) >>> 32);
        return (int) (peers >>> 32) + Math.max(0, ownNow - snapshot) * (int) peers;
    }

    public static int biasMilli(long[] words, int at) {
        return (int) get(words, at + SNAPSHOT);
    }

    public static int biasCauses(long[] words, int at) {
        return (int) get(words, at + LIMIT) & CAUSES;
    }

    /** What a request weighs here, 1,024ths of {@link #EVEN_WEIGHT what it does} at an even replica. */
    public static int weight(long[] words, int at) {
        return (int) get(words, at + LIMIT) >>> WEIGHT_SHIFT;
    }

    public static int number(long[] words, int at) {
        return (int) (get(words, at + ENGINE) >>> 32);
    }

    /** Requests waiting in the engine (16 bits), and the KV cache in use in thousandths plus one, 0 when unknown (16). */
    public static int engine(long[] words, int at) {
        return (int) get(words, at + ENGINE);
    }

    /** Of the last sample; says nothing before one was {@link #SEEN}. */
    public static long sampledAtNanos(long[] words, int at) {
        return get(words, at + SAMPLED);
    }

    /** How old that may be: sampling interval in ms (32 bits), {@link #SEEN}, {@link #HELD}. */
    public static long signal(long[] words, int at) {
        return get(words, at + SIGNAL);
    }

    /** What a sample taken at that time, with that signal, is worth. */
    public static Freshness freshness(long signal, long sampledAtNanos, long nowNanos) {
        if ((signal & SEEN) == 0) return Freshness.MISSING;
        Freshness byAge = Freshness.of(nowNanos - sampledAtNanos, (signal >>> 32) * NANOS_PER_MILLI);
        return (signal & HELD) != 0 && byAge == Freshness.FRESH ? Freshness.STALE : byAge;
    }

    static boolean over(long[] words, int at, int ownNow) {
        return ownNow >= (int) (get(words, at + LIMIT) >>> 32);
    }

    /** The place in {@link ReplicaCell.Exclusion}, or one beyond it for a replica that is no candidate. */
    public static int inClass(long[] words, int at) {
        int value = (int) get(words, at + CLASS);
        return value == NO_CANDIDATE ? value : withOwn(words, at, value);
    }

    /** @param value the place of an exclusion by health rules */
    static int withOwn(long[] words, int at, int value) {
        long slots = get(words, at + OWN);
        boolean sound = value == ReplicaCell.Exclusion.NONE.ordinal();
        if (!SlotCell.free(slots))
            return (sound ? ReplicaCell.Exclusion.NO_SLOT : ReplicaCell.Exclusion.EXCLUDED_NO_SLOT).ordinal();
        return sound && over(words, at, SlotCell.used(slots)) ? ReplicaCell.Exclusion.RAMP.ordinal() : value;
    }

    public static long loadMilli(int own, int peersMilli, int biasMilli) {
        return Math.max(0, (long) own * MILLI + peersMilli + biasMilli);
    }

    /**
     * The score by which replicas are compared, lower is better: (load + 1) x weight, less one. So it is the load that an even
     * replica would have to have to be as attractive; at least -1,000 thousandths.
     */
    public static long scoreMilli(long loadMilli, int weight) {
        return ((loadMilli + MILLI) * weight >> 10) - MILLI;
    }

    /** The most load with which the score is at most that; -1 when there is none. */
    public static long loadMilli(long scoreMilli, int weight) {
        long load = Math.floorDiv(((scoreMilli + MILLI + 1) << 10) - 1, weight) - MILLI;
        return Math.max(-1, load);
    }
}
