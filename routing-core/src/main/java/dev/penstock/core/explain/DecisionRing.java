package dev.penstock.core.explain;

import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.Shortlist;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Freshness;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The last decisions of one event loop, 248 bytes each, in memory that is taken once: recording allocates nothing. Written
 * and read on that loop only.
 *
 * <pre>
 * word 0       request
 *      1       view version
 *      2       time, nanoseconds
 *      3       draw
 *      4       picked (32 bits), reason (8), attempt (8), candidates (8)
 *      5, 6    how many of the pool stood how, 20 bits each
 *      7 + 3i  replica number (32), own in-flight (32)
 *      8 + 3i  peers' in-flight, thousandths (32), age of telemetry, ms (32)
 *      9 + 3i  load, thousandths (56), freshness (4), standing (4)
 * </pre>
 */
public final class DecisionRing {
    /** What an event loop keeps: 1 MB, a second of 4,096 requests. */
    public static final int DECISIONS = 4_096;

    private static final int HEAD_WORDS = 7;
    private static final int CANDIDATE_WORDS = 3;
    private static final int WORDS = HEAD_WORDS + CANDIDATE_WORDS * Shortlist.SIZE;

    /** Of one decision. */
    public static final int BYTES = WORDS * Long.BYTES;

    private static final int COUNT_BITS = 20;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final long LOW_INT = 0xFFFF_FFFFL;

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
        words[base + 4] = (long) picked << 32 | routing.reason().ordinal() << 16 | attempt << 8 | list.size();
        words[base + 5] = counts(list, Standing.ROUTABLE, Standing.SOFT, Standing.QUARANTINED);
        words[base + 6] = counts(list, Standing.HARD, Standing.TRIED, Standing.NOT_CANDIDATE);
        for (int i = 0; i < list.size(); i++) {
            int at = base + HEAD_WORDS + i * CANDIDATE_WORDS;
            words[at] = (long) list.number(i) << 32 | list.own(i) & LOW_INT;
            words[at + 1] = (long) list.peersMilli(i) << 32 | list.ageMillis(i) & LOW_INT;
            words[at + 2] = list.loadMilli(i) << 8
                    | list.freshness(i).ordinal() << 4
                    | list.standing(i).ordinal();
        }
    }

    private static long counts(Shortlist list, Standing high, Standing middle, Standing low) {
        return (long) count(list, high) << 2 * COUNT_BITS | (long) count(list, middle) << COUNT_BITS | count(list, low);
    }

    private static int count(Shortlist list, Standing standing) {
        return Math.min(list.count(standing), COUNT_MASK);
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
        for (int i = 0; i < (outcome & 0xFF); i++) candidates.add(candidate(base + HEAD_WORDS + i * CANDIDATE_WORDS));
        Map<Standing, Integer> counts = new EnumMap<>(Standing.class);
        for (Standing standing : Standing.values()) {
            long three = words[base + 5 + standing.ordinal() / 3];
            counts.put(standing, (int) (three >>> (2 - standing.ordinal() % 3) * COUNT_BITS) & COUNT_MASK);
        }
        return new Decision(
                words[base],
                (int) (outcome >>> 8 & 0xFF),
                words[base + 1],
                words[base + 2],
                words[base + 3],
                Routing.Reason.values()[(int) (outcome >>> 16 & 0xFF)],
                (int) (outcome >>> 32),
                candidates,
                counts);
    }

    private Decision.Candidate candidate(int at) {
        long judged = words[at + 2];
        return new Decision.Candidate(
                (int) (words[at] >>> 32),
                Standing.values()[(int) (judged & 0xF)],
                (int) words[at],
                (int) (words[at + 1] >>> 32),
                judged >>> 8,
                (int) words[at + 1],
                Freshness.values()[(int) (judged >>> 4 & 0xF)]);
    }
}
