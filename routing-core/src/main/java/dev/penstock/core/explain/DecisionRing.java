package dev.penstock.core.explain;

import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.Shortlist;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.view.HotRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The last decisions of one event loop, {@value #BYTES} bytes each, in memory that is taken once: recording allocates
 * nothing. Written and read on that loop only.
 *
 * <pre>
 * word 0        request
 *      1        view version
 *      2        time, nanoseconds
 *      3        draw
 *      4        picked (32 bits), reason (8), attempt (8), degraded (8), candidates (8)
 *      5        order of the pick, see PickOrder
 *      6, 7, 8  how many of the pool stood how, 20 bits each
 *      9 + 4i   replica number (32), own in-flight (32)
 *     10 + 4i   peers' in-flight, thousandths (32), bias, thousandths (32)
 *     11 + 4i   requests waiting in the engine (16), KV cache in use, thousandths + 1 (16), sampling interval, ms (16),
 *               seen and held (4), causes of the bias (8), standing (4)
 *     12 + 4i   age of the sample, 1,024 nanoseconds (32), weight (32)
 *     41 + i    warmth of candidates 2i and 2i + 1 (32 bits each)
 * </pre>
 */
public final class DecisionRing {
    /** What an event loop keeps: 1.5 MB, a second of 4,096 requests. */
    public static final int DECISIONS = 4_096;

    private static final int HEAD_WORDS = 9;
    private static final int COUNTS_AT = 6;
    private static final int CANDIDATE_WORDS = Shortlist.CANDIDATE_WORDS;
    private static final int WARMTH_FROM = HEAD_WORDS + CANDIDATE_WORDS * Shortlist.SIZE;
    private static final int WORDS = WARMTH_FROM + Shortlist.SIZE / 2;

    /** Of one decision. */
    public static final int BYTES = WORDS * Long.BYTES;

    private static final int COUNT_BITS = Shortlist.COUNT_BITS;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int COUNTS_PER_WORD = 3;
    private static final long HALF_MILLI_NANOS = 500_000;
    private static final int MOST_SHORT = 0xFFFF;
    private static final int MOST_FLAGS = 0xF;
    private static final Standing[] STANDINGS = Standing.values();

    private final long[] words;
    private final int mask;
    private long recorded;

    public DecisionRing() {
        this(DECISIONS);
    }

    DecisionRing(int decisions) {
        if (Integer.bitCount(decisions) != 1) {
            throw new IllegalArgumentException("expected a power of two, got " + decisions);
        }
        words = new long[decisions * WORDS];
        mask = decisions - 1;
    }

    /** Called after a route, before the event loop's next one. */
    public void record(long request, long viewVersion, long nowNanos, Routing routing) {
        int base = (int) (recorded++ & mask) * WORDS;
        Shortlist list = routing.shortlist();
        int picked = routing.number();
        int attempt = routing.replica() == null ? routing.attempts() + 1 : routing.attempts();
        words[base] = request;
        words[base + 1] = viewVersion;
        words[base + 2] = nowNanos;
        words[base + 3] = list.draw();
        words[base + 4] = (long) picked << 32
                | routing.reason().ordinal() << 24
                | attempt << 16
                | (list.degraded() ? 1 : 0) << 8
                | list.size();
        words[base + 5] = list.order();
        list.writeCounts(words, base + COUNTS_AT);
        list.writeCandidates(words, base + HEAD_WORDS, base + WARMTH_FROM, nowNanos);
    }

    /** The decisions of a request that are still there, oldest first. */
    public List<Decision> of(long request) {
        List<Decision> found = new ArrayList<>();
        for (long i = Math.max(0, recorded - mask - 1); i < recorded; i++) {
            int base = (int) (i & mask) * WORDS;
            if (words[base] == request) found.add(read(base));
        }
        return found;
    }

    private Decision read(int base) {
        long outcome = words[base + 4];
        List<Decision.Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < (outcome & 0xFF); i++) {
            candidates.add(candidate(base + HEAD_WORDS + i * CANDIDATE_WORDS, warmth(base, i)));
        }
        Map<Standing, Integer> counts = new EnumMap<>(Standing.class);
        for (int i = 0; i < STANDINGS.length; i++) {
            long three = words[base + COUNTS_AT + i / COUNTS_PER_WORD];
            counts.put(STANDINGS[i], (int) (three >>> i % COUNTS_PER_WORD * COUNT_BITS) & COUNT_MASK);
        }
        return new Decision(
                words[base],
                (int) (outcome >>> 16 & 0xFF),
                words[base + 1],
                words[base + 2],
                words[base + 3],
                words[base + 5],
                Routing.Reason.values()[(int) (outcome >>> 24 & 0xFF)],
                (outcome >>> 8 & 0xFF) != 0,
                (int) (outcome >>> 32),
                candidates,
                counts);
    }

    private int warmth(int base, int i) {
        long two = words[base + WARMTH_FROM + i / 2];
        return (int) (i % 2 == 0 ? two >>> 32 : two);
    }

    private Decision.Candidate candidate(int at, int warmth) {
        int own = (int) words[at];
        int peersMilli = (int) (words[at + 1] >>> 32);
        int biasMilli = (int) words[at + 1];
        long rest = words[at + 2];
        boolean seen = (rest >>> 12 & HotRow.SEEN) != 0;
        long signal = (rest >>> 16 & MOST_SHORT) << 32 | rest >>> 12 & MOST_FLAGS;
        long ageNanos = words[at + 3] >>> 32 << Shortlist.AGE_SHIFT;
        int kvUsed = (int) (rest >>> 32) & MOST_SHORT;
        return new Decision.Candidate(
                (int) (words[at] >>> 32),
                STANDINGS[(int) (rest & 0xF)],
                own,
                peersMilli,
                biasMilli,
                (int) (rest >>> 4 & 0xFF),
                (int) words[at + 3],
                warmth,
                seen ? (int) Math.min((ageNanos + HALF_MILLI_NANOS) / 1_000_000, Integer.MAX_VALUE) : -1,
                HotRow.freshness(signal, 0, ageNanos),
                (int) (rest >>> 48),
                kvUsed == 0 ? -1 : (kvUsed - 1) / 1e3);
    }
}
