package dev.penstock.core.ramp;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One replica's way from new to established. Its share of what an established replica has grows from a tenth to all of it
 * over the window, counted from when it became ready (the roster tells, so that a restarted router starts nobody again):
 *
 * <pre>
 *   share = clamp((ready for - held) / window, 0.1, 1)
 * </pre>
 *
 * It ends early when the replica answers as fast as the others do: 20 answers, and a mean time to first byte below 1.3 times
 * the pool's. It stands still for 5 s after each failure. {@link #answered} and {@link #failed} are called by every event
 * loop, the rest by the view's writer.
 */
public final class SlowStart {
    public static final long DEFAULT_WINDOW_NANOS = 30_000_000_000L;

    public static final double LEAST_SHARE = 0.1;
    private static final int ANSWERS = 20;
    private static final double LIKE_THE_OTHERS = 1.3;
    private static final long HOLD_NANOS = 5_000_000_000L;
    /** A limit is not known to this rule; an established replica is taken to have room for half as much again. */
    private static final double HEADROOM = 1.5;

    private long readyNanos;
    private final AtomicInteger answers = new AtomicInteger();
    private volatile long heldUntilNanos;
    private long heldNanos;
    private long lookedNanos;

    /** @param readyNanos since when, on this process's clock */
    public SlowStart(long readyNanos, long nowNanos) {
        this.readyNanos = readyNanos;
        this.lookedNanos = nowNanos;
        this.heldUntilNanos = nowNanos;
    }

    /** It turns out to have been ready before. */
    public void readySince(long nanos) {
        if (nanos - readyNanos < 0) readyNanos = nanos;
    }

    public void answered() {
        answers.incrementAndGet();
    }

    public void failed(long nowNanos) {
        heldUntilNanos = nowNanos + HOLD_NANOS;
    }

    /**
     * The share it has come to.
     *
     * @param firstByteNanos the replica's own mean, 0 when unknown
     * @param poolFirstByteNanos the established ones', 0 when unknown
     */
    public double share(long windowNanos, long firstByteNanos, long poolFirstByteNanos, long nowNanos) {
        // Differences only: the clock may overflow.
        long sinceNanos = nowNanos - lookedNanos;
        if (sinceNanos > 0) {
            heldNanos += Math.clamp(heldUntilNanos - lookedNanos, 0, sinceNanos);
            lookedNanos = nowNanos;
        }
        if (windowNanos <= 0 || likeTheOthers(firstByteNanos, poolFirstByteNanos)) return 1;
        return Math.clamp((double) (nowNanos - readyNanos - heldNanos) / windowNanos, LEAST_SHARE, 1);
    }

    private boolean likeTheOthers(long firstByteNanos, long poolFirstByteNanos) {
        return answers.get() >= ANSWERS
                && firstByteNanos > 0
                && poolFirstByteNanos > 0
                && firstByteNanos < LIKE_THE_OTHERS * poolFirstByteNanos
                && heldUntilNanos - lookedNanos <= 0;
    }

    /**
     * What is added to its load so that it is given that share: as if it had the rest of an established one's own in-flight
     * already. In thousandths of a request.
     */
    public static int biasMilli(double share, int meanOwnMilli) {
        return (int) ((1 - share) * meanOwnMilli);
    }

    /**
     * The most requests that one router should have there, whatever the bias says: its part of what a replica in that state
     * should have in all.
     *
     * @param meanMilli in-flight of an established replica, of all routers
     */
    public static int ownMost(double share, int meanMilli, int routers) {
        double all = Math.max(2, Math.ceil(share * HEADROOM * meanMilli / 1000));
        return (int) Math.max(1, Math.ceil(all / routers));
    }
}
