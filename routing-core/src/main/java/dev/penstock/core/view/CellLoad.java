package dev.penstock.core.view;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How loaded a replica is for a decision: own in-flight, what peers are taken to have there, and a bias. Own in-flight is
 * counted by every event loop, the rest is written by the view's writer; all of it is read by every loop.
 */
final class CellLoad {
    /** A request in thousandths. */
    static final int MILLI = 1_000;

    private final AtomicInteger own = new AtomicInteger();
    private volatile int peersMilli;
    private volatile int ownAtSnapshot;
    private volatile int extrapolationMilli;
    private volatile int biasMilli;
    private volatile int biasCauses;
    private volatile int ownMost = Integer.MAX_VALUE;

    int own() {
        return own.get();
    }

    void acquire() {
        own.incrementAndGet();
    }

    void release() {
        own.decrementAndGet();
    }

    /**
     * Peers' in-flight: as estimated from their vectors, and something more for each request that this router has sent
     * there since, because what made the replica attractive here made it so elsewhere.
     */
    int peersMilli(int ownNow) {
        return peersMilli + Math.max(0, ownNow - ownAtSnapshot) * extrapolationMilli;
    }

    void estimatePeers(int milli) {
        peersMilli = milli;
    }

    /** @param perRequestMilli what peers are taken to send for each request that this router sends from here on */
    void extrapolateFromHere(int perRequestMilli) {
        ownAtSnapshot = own.get();
        extrapolationMilli = perRequestMilli;
    }

    void bias(int milli, int causes) {
        biasMilli = milli;
        biasCauses = causes;
    }

    int biasMilli() {
        return biasMilli;
    }

    int biasCauses() {
        return biasCauses;
    }

    /** @param most requests this router should have there, while others have room; {@code Integer.MAX_VALUE} = any */
    void ownMost(int most) {
        ownMost = most;
    }

    boolean over() {
        return own.get() >= ownMost;
    }
}
