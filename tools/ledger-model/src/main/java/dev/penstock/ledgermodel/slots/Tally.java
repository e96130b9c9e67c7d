package dev.penstock.ledgermodel.slots;

import java.util.Arrays;

/** What became of the requests after the warm-up. */
final class Tally {
    private final long fromNanos;
    private final int[] served;
    private long servedNanos;
    private long[] waits = new long[1024];
    private int waited;
    private int arrived;
    private int rejected;
    private long moved;
    private long messages;

    Tally(int routers, long fromNanos) {
        this.fromNanos = fromNanos;
        served = new int[routers];
    }

    void served(Request request, long nowNanos) {
        if (request.arrivalNanos() < fromNanos) return;
        arrived++;
        served[request.router()]++;
        servedNanos += request.serviceNanos();
        if (nowNanos == request.arrivalNanos()) return;
        if (waited == waits.length) waits = Arrays.copyOf(waits, 2 * waited);
        waits[waited++] = nowNanos - request.arrivalNanos();
    }

    void rejected(Request request) {
        if (request.arrivalNanos() < fromNanos) return;
        arrived++;
        rejected++;
    }

    void moved(int slots, long nowNanos) {
        if (nowNanos >= fromNanos) moved += slots;
    }

    void sent(long nowNanos) {
        if (nowNanos >= fromNanos) messages++;
    }

    double servedSlotSeconds() {
        return (double) servedNanos / Scene.SECOND;
    }

    /** The difference of two routers' shares of the requests that were served. */
    double shareGapPct() {
        return 100.0 * Math.abs(served[0] - served[1]) / (served[0] + served[1]);
    }

    double rejectedPct() {
        return 100.0 * rejected / arrived;
    }

    double waitedPct() {
        return 100.0 * waited / arrived;
    }

    /** Of those that waited and were served. */
    double waitMillis(double quantile) {
        if (waited == 0) return 0;
        long[] sorted = Arrays.copyOf(waits, waited);
        Arrays.sort(sorted);
        return sorted[(int) (quantile * (waited - 1))] / 1e6;
    }

    double movedPerSecond(long endNanos) {
        return perSecond(moved, endNanos);
    }

    /** Reports among them; nothing is put together. */
    double messagesPerSecond(long endNanos) {
        return perSecond(messages, endNanos);
    }

    private double perSecond(long count, long endNanos) {
        return (double) count / (endNanos - fromNanos) * Scene.SECOND;
    }
}
