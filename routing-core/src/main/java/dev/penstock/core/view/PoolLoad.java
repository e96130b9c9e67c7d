package dev.penstock.core.view;

import dev.penstock.model.Freshness;
import java.util.Arrays;

/**
 * How a pool does as a whole, summed up by the view's writer in each sweep over its replicas and read by every event loop.
 * Means are over established replicas: those that are candidates, not excluded, and neither new nor in a ramp; each counts with at
 * most four times the mean before, so that one stuck replica does not move it. Where nobody is established, as in a fleet that
 * has just been started, own in-flight is that of all that are not excluded.
 */
public final class PoolLoad {
    private static final int CAP_MEANS = 4;
    private static final int CAP_SPARE_MILLI = 4_000;
    private static final double LEAST_PART = 1 / 16.0;
    private static final double MOST_PART = 16;

    /** KV use is counted in 32nds. */
    private static final int KV_PARTS = 32;

    private static final long LEAST_SERVICE_NANOS = 50_000_000L;
    private static final long UNKNOWN_SERVICE_NANOS = 1_000_000_000L;

    private int replicas = 1;
    private int peersPerRequestMilli;
    private volatile int meanOwnMilli;
    private volatile int peersFairMilli;
    private volatile long serviceNanos = UNKNOWN_SERVICE_NANOS;
    private volatile long firstByteNanos;
    private volatile int established;
    private volatile int starting;
    private volatile boolean degraded;
    private volatile double kvUsedThirdQuartile;
    /** 0 = nothing was ever told. */
    private volatile double meanCapacity;

    // The sweep under way: written and read by the view's writer only.
    private long ownSum;
    private long notEstablishedOwnSum;
    private int notEstablishedNow;
    private double serviceSum;
    private int serviceCount;
    private double firstByteSum;
    private int firstByteCount;
    private int establishedNow;
    private int startingNow;
    private int candidatesNow;
    private int freshNow;
    private double capacitySum;
    private int capacityCount;
    private final int[] kvUsedParts = new int[KV_PARTS];
    private int kvUsedCount;

    /** Replicas of the pool, whatever their state; 1 at least. */
    int replicas() {
        return replicas;
    }

    void replicas(int count) {
        replicas = Math.max(1, count);
    }

    /** Mean own in-flight of an established replica, in thousandths. */
    public int meanOwnMilli() {
        return meanOwnMilli;
    }

    /** What peers have in flight per replica of the pool, in thousandths. */
    public int peersFairMilli() {
        return peersFairMilli;
    }

    /** Mean of all replicas' smoothed service times; 1 s until known, 50 ms at least. */
    public long serviceNanos() {
        return serviceNanos;
    }

    /** Mean of the established replicas' smoothed times to first byte, 0 until known. */
    public long firstByteNanos() {
        return firstByteNanos;
    }

    /** True when most of the pool's telemetry is not FRESH: then it says nothing of one replica against another. */
    public boolean degraded() {
        return degraded;
    }

    /** KV use of which a quarter of the pool that tells it has more; 0 when nobody does. */
    double kvUsedThirdQuartile() {
        return kvUsedThirdQuartile;
    }

    /**
     * The part of an even load that is fair for that capacity: 1 on average, for one that nothing is known of, and for the
     * first that is told until the sweep after has something to hold it against.
     *
     * @param capacity see {@link ReplicaCell#capacity()}
     */
    double fairPart(double capacity) {
        return capacity == 0 || meanCapacity == 0 ? 1 : Math.clamp(capacity / meanCapacity, LEAST_PART, MOST_PART);
    }

    /** How far slow start may hold replicas back: less when most of the pool starts, and nobody else is there to serve. */
    double startingWeight() {
        int all = established + starting;
        if (all == 0 || established == 0) return 0;
        return 2 * starting > all ? (double) established / all : 1;
    }

    void begin() {
        ownSum = 0;
        notEstablishedOwnSum = 0;
        notEstablishedNow = 0;
        serviceSum = 0;
        serviceCount = 0;
        firstByteSum = 0;
        firstByteCount = 0;
        establishedNow = 0;
        startingNow = 0;
        candidatesNow = 0;
        freshNow = 0;
        capacitySum = 0;
        capacityCount = 0;
        Arrays.fill(kvUsedParts, 0);
        kvUsedCount = 0;
    }

    void add(ReplicaCell cell, long nowNanos) {
        long service = cell.smoothedServiceNanos();
        if (service > 0) {
            serviceSum += service;
            serviceCount++;
        }
        if (!cell.candidate()) return;
        candidatesNow++;
        if (cell.capacity() > 0) {
            capacitySum += cell.capacity();
            capacityCount++;
        }
        addKvUsed(cell.telemetry().kvUsedPpm());
        if (cell.telemetry().freshness(nowNanos) == Freshness.FRESH) freshNow++;
        if (cell.byHealth(nowNanos) != ReplicaCell.Exclusion.NONE) return;
        if (cell.starting()) startingNow++;
        long own = Math.min(cell.own() * (long) HotRow.MILLI, CAP_MEANS * (long) meanOwnMilli + CAP_SPARE_MILLI);
        if (cell.starting() || cell.health().share(nowNanos) < 1) {
            notEstablishedNow++;
            notEstablishedOwnSum += own;
            return;
        }
        establishedNow++;
        ownSum += own;
        long firstByte = cell.smoothedFirstByteNanos();
        if (firstByte > 0) {
            firstByteSum += firstByteNanos == 0 ? firstByte : Math.min(firstByte, CAP_MEANS * firstByteNanos);
            firstByteCount++;
        }
    }

    private void addKvUsed(int ppm) {
        if (ppm < 0) return;
        kvUsedParts[(int) Math.min((long) ppm * KV_PARTS / 1_000_000, KV_PARTS - 1)]++;
        kvUsedCount++;
    }

    private double thirdQuartile() {
        int above = kvUsedCount / 4;
        int part = KV_PARTS - 1;
        for (int seen = kvUsedParts[part]; seen <= above && part > 0; seen += kvUsedParts[part]) part--;
        return (double) part / KV_PARTS;
    }

    void finish() {
        kvUsedThirdQuartile = thirdQuartile();
        if (capacityCount > 0) meanCapacity = capacitySum / capacityCount;
        established = establishedNow;
        starting = startingNow;
        degraded = 2 * freshNow < candidatesNow;
        if (establishedNow > 0) meanOwnMilli = (int) Math.min(ownSum / establishedNow, Integer.MAX_VALUE);
        else if (notEstablishedNow > 0)
            meanOwnMilli = (int) Math.min(notEstablishedOwnSum / notEstablishedNow, Integer.MAX_VALUE);
        if (serviceCount > 0) serviceNanos = Math.max(LEAST_SERVICE_NANOS, (long) (serviceSum / serviceCount));
        if (firstByteCount > 0) firstByteNanos = (long) (firstByteSum / firstByteCount);
    }

    /** What peers are taken to send to a replica for each request that this router sends there, in thousandths. */
    int peersPerRequestMilli() {
        return peersPerRequestMilli;
    }

    void peers(int fairMilli, int perRequestMilli) {
        peersFairMilli = fairMilli;
        peersPerRequestMilli = perRequestMilli;
    }
}
