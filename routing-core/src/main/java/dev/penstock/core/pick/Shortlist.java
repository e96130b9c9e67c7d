package dev.penstock.core.pick;

import dev.penstock.core.view.Candidates;
import dev.penstock.core.view.HotRow;
import dev.penstock.core.view.ReplicaCell;
import java.util.Arrays;

/**
 * The best eight replicas that one decision looked at, best first, with the numbers they were judged by, and how many of the
 * pool stood how. Order: standing, then score less credit, then {@link TieBreak}. Where warmth is a term of a weighted sum,
 * who has some is among the eight whatever its score. Written and read by one event loop, which uses it again for each
 * decision.
 */
public final class Shortlist {
    public static final int SIZE = 8;

    /** A candidate in a record. */
    public static final int CANDIDATE_WORDS = 4;

    /** Ages in a record are told in units of 2 to this power nanoseconds. */
    public static final int AGE_SHIFT = 10;

    public static final int COUNT_BITS = 20;
    private static final long LOW_INT = 0xFFFF_FFFFL;
    private static final int MOST_SHORT = 0xFFFF;
    private static final int MOST_FLAGS = 0xF;

    private static final Standing[] STANDINGS = Standing.values();
    static final int NOBODY = -1;

    /** What a decision takes from the index: the list, and as many again that the request may have tried. */
    final int[] slots = new int[SIZE + Routing.MAX_ATTEMPTS];

    /** Where a session belongs that nobody has pinned. */
    final int[] places = new int[SIZE];

    /** See {@link Candidates#fetch}. */
    long fetched;

    final int[] classCounts = new int[ReplicaCell.Exclusion.values().length];

    private final int[] slot = new int[SIZE];
    private final long[][] rows = new long[SIZE][];
    private final int[] rowAt = new int[SIZE];
    private final PickOrder.Field field = new PickOrder.Field(SIZE);
    private final int[] number = field.number();
    private final long[] scoreMilli = field.scoreMilli();
    private final int[] warmth = field.warmth();
    private final int[] weight = new int[SIZE];
    private final int[] own = new int[SIZE];
    private final int[] peersMilli = new int[SIZE];
    private final int[] biasMilli = new int[SIZE];
    private final long[] tieKey = new long[SIZE];
    private final int[] standing = new int[SIZE];
    private final int[] counts = new int[Standing.COUNT];
    private long draw;
    private long order;
    private boolean degraded;
    private int size;

    void start(long draw, long order, boolean degraded) {
        this.draw = draw;
        this.order = order;
        this.degraded = degraded;
        size = 0;
        Arrays.fill(counts, 0);
    }

    /** Takes over how many of the pool are in each class of exclusion; those in none are no candidates. */
    void countClasses(int poolSize) {
        int left = poolSize;
        for (int i = 0; i < classCounts.length; i++) {
            counts[i] = Math.max(0, classCounts[i]);
            left -= counts[i];
        }
        counts[Standing.NOT_CANDIDATE.ordinal()] = Math.max(0, left);
    }

    /** One that the classes count, and that turns out to have been tried: under what the index last heard of it. */
    void countTried(Standing was) {
        int at = was.ordinal();
        // The index may not know yet how it stands.
        for (int i = 0; counts[at] == 0 && i < counts.length; i++) at = i;
        counts[at]--;
        counts[Standing.TRIED.ordinal()]++;
    }

    /**
     * @param byScore weights count
     * @param warmthNow see {@link Warmth}
     */
    void consider(Candidates candidates, int slotNow, Standing standingNow, boolean byScore, int warmthNow) {
        long[] words = candidates.row(slotNow);
        int row = candidates.rowAt(slotNow);
        // Read once: what is recorded is what was judged.
        int ownNow = HotRow.own(words, row);
        int peersNow = HotRow.peersMilli(words, row, ownNow);
        int biasNow = HotRow.biasMilli(words, row);
        int weightNow = byScore ? HotRow.weight(words, row) : HotRow.EVEN_WEIGHT;
        long loadNow = HotRow.loadMilli(ownNow, peersNow, biasNow);
        long scoreNow = HotRow.scoreMilli(loadNow, weightNow) - Warmth.creditMilli(warmthNow);
        int numberNow = HotRow.number(words, row);
        long keyNow = TieBreak.key(draw, numberNow);
        int stands = standingNow.ordinal();
        int rankNow = standingNow.rank(warmthNow).ordinal();
        if (size == SIZE && !makesRoom(rankNow, scoreNow, keyNow)) return;
        int at = size++;
        for (; at > 0 && before(rankNow, scoreNow, keyNow, at - 1); at--) move(at - 1, at);
        slot[at] = slotNow;
        rows[at] = words;
        rowAt[at] = row;
        number[at] = numberNow;
        own[at] = ownNow;
        peersMilli[at] = peersNow;
        biasMilli[at] = biasNow;
        scoreMilli[at] = scoreNow;
        weight[at] = weightNow;
        warmth[at] = warmthNow;
        tieKey[at] = keyNow;
        standing[at] = stands;
    }

    /** Lets the last one go if this one comes before it; not one whose warmth a weighted sum has yet to weigh. */
    private boolean makesRoom(int rankNow, long scoreNow, long keyNow) {
        int last = size - 1;
        while (last >= 0 && rank(last) == rank(0) && PickOrder.weighs(order, warmth[last])) last--;
        if (last < 0 || !before(rankNow, scoreNow, keyNow, last)) return false;
        for (int at = last + 1; at < size; at++) move(at, at - 1);
        size--;
        return true;
    }

    private boolean before(int rankNow, long scoreNow, long keyNow, int at) {
        int rank = rank(at);
        if (rankNow != rank) return rankNow < rank;
        if (scoreNow != scoreMilli[at]) return scoreNow < scoreMilli[at];
        return keyNow < tieKey[at];
    }

    private int rank(int at) {
        return STANDINGS[standing[at]].rank(warmth[at]).ordinal();
    }

    private void move(int from, int to) {
        slot[to] = slot[from];
        rows[to] = rows[from];
        rowAt[to] = rowAt[from];
        number[to] = number[from];
        own[to] = own[from];
        peersMilli[to] = peersMilli[from];
        biasMilli[to] = biasMilli[from];
        scoreMilli[to] = scoreMilli[from];
        weight[to] = weight[from];
        warmth[to] = warmth[from];
        tieKey[to] = tieKey[from];
        standing[to] = standing[from];
    }

    /** The place of the one to send to, or {@link #NOBODY}. */
    int pick() {
        if (size == 0 || !standing(0).eligible()) return NOBODY;
        int like = 1;
        while (like < size && rank(like) == rank(0)) like++;
        return PickOrder.pick(order, draw, like, field);
    }

    /** As {@link dev.penstock.core.explain.DecisionRing} keeps it: nine counts, {@value #COUNT_BITS} bits each. */
    public void writeCounts(long[] out, int at) {
        out[at] = count20(0) | count20(1) << COUNT_BITS | count20(2) << 2 * COUNT_BITS;
        out[at + 1] = count20(3) | count20(4) << COUNT_BITS | count20(5) << 2 * COUNT_BITS;
        out[at + 2] = count20(6) | count20(7) << COUNT_BITS | count20(8) << 2 * COUNT_BITS;
    }

    private long count20(int standing) {
        return Math.min(counts[standing], (1 << COUNT_BITS) - 1);
    }

    /** The candidates as {@link dev.penstock.core.explain.DecisionRing} keeps them, written where they are. */
    public void writeCandidates(long[] out, int at, int warmthAt, long nowNanos) {
        int to = at;
        for (int i = 0; i < size; i++, to += CANDIDATE_WORDS) {
            long[] words = rows[i];
            int row = rowAt[i];
            long signal = HotRow.signal(words, row);
            out[to] = (long) number[i] << 32 | own[i] & LOW_INT;
            out[to + 1] = (long) peersMilli[i] << 32 | biasMilli[i] & LOW_INT;
            out[to + 2] = (long) HotRow.engine(words, row) << 32
                    | Math.min(signal >>> 32, MOST_SHORT) << 16
                    | (signal & MOST_FLAGS) << 12
                    | HotRow.biasCauses(words, row) << 4
                    | standing[i];
            long age = Math.max(0, nowNanos - HotRow.sampledAtNanos(words, row)) >> AGE_SHIFT;
            out[to + 3] = Math.min(age, LOW_INT) << 32 | weight[i];
        }
        for (int i = 0; i < size; i += 2) {
            out[warmthAt + (i >> 1)] = (long) warmth[i] << 32 | (i + 1 < size ? warmth[i + 1] & LOW_INT : Warmth.NONE);
        }
    }

    /** True when the best there is lacks a slot. */
    boolean lacksSlot() {
        return size > 0 && standing(0).lacksSlot();
    }

    /** True when the index has some that a request might be sent to before those that lack a slot. */
    boolean indexKnowsBetter() {
        int eligible = counts[Standing.ROUTABLE.ordinal()] + counts[Standing.RAMPING.ordinal()];
        if (standing(0) == Standing.NO_SLOT) return eligible > 0;
        for (Standing each : STANDINGS) if (each.eligible() && counts[each.ordinal()] > 0) return true;
        return false;
    }

    boolean has(int candidate) {
        for (int i = 0; i < size; i++) if (slot[i] == candidate) return true;
        return false;
    }

    /** Its place among the candidates. */
    int slot(int at) {
        return slot[at];
    }

    /** The number that broke ties. */
    public long draw() {
        return draw;
    }

    /** How one of them was picked, see {@link PickOrder}. */
    public long order() {
        return order;
    }

    /** True when most of the pool's telemetry was not FRESH. */
    public boolean degraded() {
        return degraded;
    }

    public int size() {
        return size;
    }

    /** Replicas of the pool that stood so, on the list or not; as the index had them. */
    public int count(Standing standing) {
        return counts[standing.ordinal()];
    }

    public int number(int at) {
        return number[at];
    }

    public int own(int at) {
        return own[at];
    }

    public int peersMilli(int at) {
        return peersMilli[at];
    }

    public int biasMilli(int at) {
        return biasMilli[at];
    }

    public int biasCauses(int at) {
        return HotRow.biasCauses(rows[at], rowAt[at]);
    }

    /** What it was ranked by: its load by what that weighs, less the credit. */
    public long scoreMilli(int at) {
        return scoreMilli[at];
    }

    /** See {@link HotRow#weight}; even where the strategy asks for no weights. */
    public int weight(int at) {
        return weight[at];
    }

    /** See {@link Warmth}. */
    public int warmth(int at) {
        return warmth[at];
    }

    public Standing standing(int at) {
        return STANDINGS[standing[at]];
    }

    /** See {@link HotRow#engine}. */
    public int engine(int at) {
        return HotRow.engine(rows[at], rowAt[at]);
    }

    /** See {@link HotRow#sampledAtNanos}. */
    public long sampledAtNanos(int at) {
        return HotRow.sampledAtNanos(rows[at], rowAt[at]);
    }

    /** See {@link HotRow#signal}. */
    public long signal(int at) {
        return HotRow.signal(rows[at], rowAt[at]);
    }
}
