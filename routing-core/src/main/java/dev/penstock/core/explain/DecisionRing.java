package dev.penstock.core.explain;

import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.Shortlist;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.view.HotRow;
import dev.penstock.core.view.ReplicaEntry;
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
 *     12 + 4i   time of the sample, nanoseconds
 * </pre>
 */
public final class DecisionRing {
    /** What an event loop keeps: 1.3 MB, a second of 4,096 requests. */
    public static final int DECISIONS = 4_096;

    private static final int HEAD_WORDS = 9;
    private static final int CANDIDATE_WORDS = 4;
    private static final int WORDS = HEAD_WORDS + CANDIDATE_WORDS * Shortlist.SIZE;

    /** Of one decision. */
    public static final int BYTES = WORDS * Long.BYTES;

    private static final int COUNT_BITS = 20;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int COUNTS_PER_WORD = 3;
    private static final long LOW_INT = 0xFFFF_FFFFL;
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
        ReplicaEntry replica = routing.replica();
        int picked = replica == null ? 0 : replica.replica().number();
        int attempt = replica == null ? routing.attempts() + 1 : routing.attempts();
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
        words[base + 6] = 0;
        words[base + 7] = 0;
        words[base + 8] = 0;
        for (int i = 0; i < STANDINGS.length; i++) {
            long count = Math.min(list.count(STANDINGS[i]), COUNT_MASK);
            words[base + 6 + i / COUNTS_PER_WORD] |= count << i % COUNTS_PER_WORD * COUNT_BITS;
        }
        for (int i = 0; i < list.size(); i++) record(list, i, base + HEAD_WORDS + i * CANDIDATE_WORDS);
    }

    private void record(Shortlist list, int i, int at) {
        words[at] = (long) list.number(i) << 32 | list.own(i) & LOW_INT;
        words[at + 1] = (long) list.peersMilli(i) << 32 | list.biasMilli(i) & LOW_INT;
        long signal = list.signal(i);
        words[at + 2] = (long) list.engine(i) << 32
                | Math.min(signal >>> 32, MOST_SHORT) << 16
                | (signal & MOST_FLAGS) << 12
                | list.biasCauses(i) << 4
                | list.standing(i).ordinal();
        words[at + 3] = list.sampledAtNanos(i);
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
            candidates.add(candidate(base + HEAD_WORDS + i * CANDIDATE_WORDS, words[base + 2]));
        }
        Map<Standing, Integer> counts = new EnumMap<>(Standing.class);
        for (int i = 0; i < STANDINGS.length; i++) {
            long three = words[base + 6 + i / COUNTS_PER_WORD];
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

    private Decision.Candidate candidate(int at, long nowNanos) {
        int own = (int) words[at];
        int peersMilli = (int) (words[at + 1] >>> 32);
        int biasMilli = (int) words[at + 1];
        long rest = words[at + 2];
        long signal = (rest >>> 16 & MOST_SHORT) << 32 | rest >>> 12 & MOST_FLAGS;
        long sampledAtNanos = words[at + 3];
        int kvUsed = (int) (rest >>> 32) & MOST_SHORT;
        return new Decision.Candidate(
                (int) (words[at] >>> 32),
                STANDINGS[(int) (rest & 0xF)],
                own,
                peersMilli,
                biasMilli,
                (int) (rest >>> 4 & 0xFF),
                HotRow.loadMilli(own, peersMilli, biasMilli),
                ageMillis(signal, sampledAtNanos, nowNanos),
                HotRow.freshness(signal, sampledAtNanos, nowNanos),
                (int) (rest >>> 48),
                kvUsed == 0 ? -1 : (kvUsed - 1) / 1e3);
    }

    private static int ageMillis(long signal, long sampledAtNanos, long nowNanos) {
        if ((signal & HotRow.SEEN) == 0) return -1;
        return (int) Math.clamp((nowNanos - sampledAtNanos) / 1_000_000, 0, Integer.MAX_VALUE);
    }
}
