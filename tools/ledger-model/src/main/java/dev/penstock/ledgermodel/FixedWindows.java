package dev.penstock.ledgermodel;

import dev.penstock.core.rate.FallingLimit;
import java.util.Arrays;

/**
 * The baseline of counters: each router has an equal part of the limit per window of a second, or of 10 s where a second's is less
 * than a request, and begins each window anew.
 */
final class FixedWindows implements RatePolicy {
    private static final long SECOND = 1_000_000_000L;

    private final RateCourse course;
    private final FallingLimit limit;
    private final long windowNanos;
    private final int[] left;
    private double owed;
    private long last;

    FixedWindows(RateCourse course) {
        this.course = course;
        limit = new FallingLimit(course.milliRps(), 0);
        left = new int[course.routers()];
        windowNanos = course.milliRps() / 1_000 >= course.routers() ? SECOND : 10 * SECOND;
    }

    @Override
    public void step(long nowNanos, RateQueue[] queues) {
        course.tell(limit, last, nowNanos);
        if (nowNanos / windowNanos != last / windowNanos) {
            // what makes no whole request is kept for a later window
            owed += limit.now(nowNanos).milliRps() / 1e3 * windowNanos / 1e9 / left.length;
            int whole = (int) Math.floor(owed);
            Arrays.fill(left, whole);
            owed -= whole;
        }
        last = nowNanos;
    }

    @Override
    public boolean admits(int router, long nowNanos) {
        if (left[router] == 0) return false;
        left[router]--;
        return true;
    }
}
