package dev.penstock.core.pick;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Freshness;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The best eight replicas that one decision looked at, best first, with the numbers they were judged by, and how many of the
 * pool stood how. Order: standing, then load, then {@link TieBreak}. Written and read by one event loop, which uses it again
 * for each decision.
 */
public final class Shortlist {
    public static final int SIZE = 8;

    private static final Standing[] STANDINGS = Standing.values();
    static final int NOBODY = -1;

    /** What a decision takes from the index: the list, and as many again that the request may have tried. */
    final int[] slots = new int[SIZE + Routing.MAX_ATTEMPTS];

    final int[] classCounts = new int[ReplicaCell.Exclusion.values().length];

    private final @Nullable ReplicaEntry[] entries = new ReplicaEntry[SIZE];
    private final int[] number = new int[SIZE];
    private final int[] own = new int[SIZE];
    private final int[] peersMilli = new int[SIZE];
    private final int[] biasMilli = new int[SIZE];
    private final int[] biasCauses = new int[SIZE];
    private final ReplicaCell.@Nullable Telemetry[] telemetry = new ReplicaCell.Telemetry[SIZE];
    private final long[] loadMilli = new long[SIZE];
    private final long[] tieKey = new long[SIZE];
    private final int[] standing = new int[SIZE];
    private final int[] counts = new int[Standing.COUNT];
    private long draw;
    private long order;
    private long nowNanos;
    private boolean degraded;
    private int size;

    void start(long draw, long order, boolean degraded, long nowNanos) {
        this.draw = draw;
        this.order = order;
        this.degraded = degraded;
        this.nowNanos = nowNanos;
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

    void consider(ReplicaEntry entry, Standing standingNow) {
        ReplicaCell cell = entry.cell();
        // Read once: what is recorded is what was judged.
        int ownNow = cell.own();
        int peersNow = cell.peersMilli(ownNow);
        int biasNow = cell.biasMilli();
        int causesNow = cell.biasCauses();
        long loadNow = ReplicaCell.loadMilli(ownNow, peersNow, biasNow);
        int numberNow = entry.replica().number();
        long keyNow = TieBreak.key(draw, numberNow);
        int stands = standingNow.ordinal();
        if (size == SIZE && !before(stands, loadNow, keyNow, SIZE - 1)) return;
        int at = size == SIZE ? SIZE - 1 : size++;
        for (; at > 0 && before(stands, loadNow, keyNow, at - 1); at--) move(at - 1, at);
        entries[at] = entry;
        number[at] = numberNow;
        own[at] = ownNow;
        peersMilli[at] = peersNow;
        biasMilli[at] = biasNow;
        biasCauses[at] = causesNow;
        telemetry[at] = cell.telemetry();
        loadMilli[at] = loadNow;
        tieKey[at] = keyNow;
        standing[at] = stands;
    }

    private boolean before(int standingNow, long loadNow, long keyNow, int at) {
        if (standingNow != standing[at]) return standingNow < standing[at];
        if (loadNow != loadMilli[at]) return loadNow < loadMilli[at];
        return keyNow < tieKey[at];
    }

    private void move(int from, int to) {
        entries[to] = entries[from];
        number[to] = number[from];
        own[to] = own[from];
        peersMilli[to] = peersMilli[from];
        biasMilli[to] = biasMilli[from];
        biasCauses[to] = biasCauses[from];
        telemetry[to] = telemetry[from];
        loadMilli[to] = loadMilli[from];
        tieKey[to] = tieKey[from];
        standing[to] = standing[from];
    }

    /** The place of the one to send to, or {@link #NOBODY}. */
    int pick() {
        if (size == 0 || !standing(0).eligible()) return NOBODY;
        int like = 1;
        while (like < size && standing[like] == standing[0]) like++;
        return PickOrder.pick(order, draw, like, loadMilli, number);
    }

    boolean has(ReplicaEntry entry) {
        for (int i = 0; i < size; i++) if (entries[i] == entry) return true;
        return false;
    }

    @Nullable
    ReplicaEntry entry(int at) {
        return entries[at];
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
        return biasCauses[at];
    }

    /** Own, peers and bias together. */
    public long loadMilli(int at) {
        return loadMilli[at];
    }

    public Standing standing(int at) {
        return STANDINGS[standing[at]];
    }

    /** Of the last sample, or -1 without one. */
    public int ageMillis(int at) {
        ReplicaCell.Telemetry t = telemetry[at];
        if (t == null || !t.seen()) return -1;
        return (int) Math.clamp((nowNanos - t.sampledAtNanos()) / 1_000_000, 0, Integer.MAX_VALUE);
    }

    public Freshness freshness(int at) {
        ReplicaCell.Telemetry t = telemetry[at];
        return t == null ? Freshness.MISSING : t.freshness(nowNanos);
    }

    /** Requests that wait in the engine, as the last sample has it. */
    public int waiting(int at) {
        ReplicaCell.Telemetry t = telemetry[at];
        return t == null ? 0 : t.waiting();
    }

    /** Share of the KV cache in use, in millionths, or -1 when unknown. */
    public int kvUsedPpm(int at) {
        ReplicaCell.Telemetry t = telemetry[at];
        return t == null ? -1 : t.kvUsedPpm();
    }
}
