package dev.penstock.core.pick;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Freshness;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The best eight replicas of one decision, best first, with the numbers they were judged by, and how many stood how. Order:
 * standing, then load, then {@link TieBreak}. Written and read by one event loop, which uses it again for each decision.
 */
public final class Shortlist {
    public static final int SIZE = 8;

    private static final int STANDING_SHIFT = 56;
    private static final long LOAD_MASK = (1L << STANDING_SHIFT) - 1;
    private static final Standing[] STANDINGS = Standing.values();

    private final @Nullable ReplicaEntry[] entries = new ReplicaEntry[SIZE];
    private final int[] own = new int[SIZE];
    private final int[] peersMilli = new int[SIZE];
    private final int[] ageMillis = new int[SIZE];
    private final Freshness[] freshness = new Freshness[SIZE];
    /** Standing and load in one number that orders. */
    private final long[] rank = new long[SIZE];

    private final long[] tieKey = new long[SIZE];
    private final int[] counts = new int[Standing.COUNT];
    private long draw;
    private int size;

    void start(long draw) {
        this.draw = draw;
        size = 0;
        Arrays.fill(counts, 0);
    }

    void consider(ReplicaEntry entry, Standing standing, long nowNanos) {
        counts[standing.ordinal()]++;
        ReplicaCell cell = entry.cell();
        // Read once: what is recorded is what was judged.
        int ownNow = cell.own();
        int peersNow = cell.peersMilli(ownNow);
        long rankNow = (long) standing.ordinal() << STANDING_SHIFT | cell.loadMilli(ownNow, peersNow, nowNanos);
        if (size == SIZE && rankNow > rank[SIZE - 1]) return;
        long keyNow = TieBreak.key(draw, entry.replica().number());
        if (size == SIZE && !before(rankNow, keyNow, SIZE - 1)) return;
        int at = size == SIZE ? SIZE - 1 : size++;
        for (; at > 0 && before(rankNow, keyNow, at - 1); at--) move(at - 1, at);
        ReplicaCell.Telemetry telemetry = cell.telemetry();
        entries[at] = entry;
        own[at] = ownNow;
        peersMilli[at] = peersNow;
        ageMillis[at] = ageMillis(telemetry, nowNanos);
        freshness[at] = telemetry.freshness(nowNanos);
        rank[at] = rankNow;
        tieKey[at] = keyNow;
    }

    private boolean before(long rankNow, long keyNow, int at) {
        return rankNow < rank[at] || (rankNow == rank[at] && keyNow < tieKey[at]);
    }

    private void move(int from, int to) {
        entries[to] = entries[from];
        own[to] = own[from];
        peersMilli[to] = peersMilli[from];
        ageMillis[to] = ageMillis[from];
        freshness[to] = freshness[from];
        rank[to] = rank[from];
        tieKey[to] = tieKey[from];
    }

    private static int ageMillis(ReplicaCell.Telemetry telemetry, long nowNanos) {
        if (!telemetry.seen()) return -1;
        return (int) Math.clamp((nowNanos - telemetry.sampledAtNanos()) / 1_000_000, 0, Integer.MAX_VALUE);
    }

    /** The first, unless a request may not be sent there. */
    @Nullable
    ReplicaEntry best() {
        return size > 0 && standing(0).eligible() ? entries[0] : null;
    }

    /** The number that broke ties. */
    public long draw() {
        return draw;
    }

    public int size() {
        return size;
    }

    /** Replicas of the pool that stood so, on the list or not. */
    public int count(Standing standing) {
        return counts[standing.ordinal()];
    }

    public int number(int at) {
        ReplicaEntry entry = entries[at];
        return entry == null ? 0 : entry.replica().number();
    }

    public int own(int at) {
        return own[at];
    }

    public int peersMilli(int at) {
        return peersMilli[at];
    }

    /** Own and peers' in-flight in thousandths, as {@link ReplicaCell#loadMilli} sees them. */
    public long loadMilli(int at) {
        return rank[at] & LOAD_MASK;
    }

    public Standing standing(int at) {
        return STANDINGS[(int) (rank[at] >>> STANDING_SHIFT)];
    }

    /** Of the last sample, or -1 without one. */
    public int ageMillis(int at) {
        return ageMillis[at];
    }

    public Freshness freshness(int at) {
        return freshness[at];
    }
}
