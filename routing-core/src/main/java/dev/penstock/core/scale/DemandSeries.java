package dev.penstock.core.scale;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Demand over time, piecewise constant: a value stands for the time since the one before it. Time in which nothing was known
 * is left out of means, it is not zero demand. One writer.
 */
final class DemandSeries {
    private record Piece(long fromNanos, long toNanos, double value) {}

    private final long keepNanos;
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private boolean begun;
    private long lastNanos;
    private long seenNanos;
    private double last;

    DemandSeries(long keepNanos) {
        this.keepNanos = keepNanos;
    }

    void add(long nowNanos, double value) {
        if (begun) {
            pieces.addLast(new Piece(lastNanos, nowNanos, value));
            seenNanos += nowNanos - lastNanos;
        }
        move(nowNanos);
        last = value;
    }

    /** Since the last call nothing was known. */
    void gap(long nowNanos) {
        move(nowNanos);
        if (pieces.isEmpty()) seenNanos = 0;
    }

    /** Time-weighted, over what is known of the window; the last value while that is nothing. */
    double mean(long windowNanos, long nowNanos) {
        long start = nowNanos - windowNanos;
        double sum = 0;
        long known = 0;
        for (Piece piece : pieces) {
            if (piece.toNanos() - start <= 0) continue;
            long from = piece.fromNanos() - start < 0 ? start : piece.fromNanos();
            sum += piece.value() * (piece.toNanos() - from);
            known += piece.toNanos() - from;
        }
        return known == 0 ? last : sum / known;
    }

    /** How long demand has been known; over again after a gap that leaves nothing to take a mean of. */
    long seenNanos() {
        return seenNanos;
    }

    private void move(long nowNanos) {
        begun = true;
        lastNanos = nowNanos;
        while (!pieces.isEmpty() && nowNanos - pieces.getFirst().toNanos() >= keepNanos) pieces.removeFirst();
    }
}
