package dev.penstock.core.feed;

/**
 * How much longer than the quickest record of its incarnation a record was on its way: time in producer buffers, the
 * broker or a paused reader. Two hosts' clocks are never compared: the least difference (receive - send) stands for the
 * clocks' offset, and may rise by at most 200 ppm, so that a slow drift of the clocks is followed and a lasting delay is
 * not forgiven. One writer.
 */
public final class TransitExcess {
    private static final double DRIFT = 200e-6;

    private boolean seen;
    private long leastDifference;
    private long atNanos;

    /** Excess in nanoseconds of a record sent and received at these times of the two clocks; 0 for the first. */
    public long of(long sendNanos, long receiveNanos) {
        long difference = receiveNanos - sendNanos;
        if (!seen) {
            seen = true;
            leastDifference = difference;
        } else {
            leastDifference += (long) (Math.max(0, receiveNanos - atNanos) * DRIFT);
            if (difference - leastDifference < 0) leastDifference = difference;
        }
        atNanos = receiveNanos;
        return difference - leastDifference;
    }
}
