package dev.penstock.ledgermodel;

import dev.penstock.core.rate.FallingLimit;
import dev.penstock.core.rate.FallingLimit.Because;
import java.util.List;

/**
 * What happens to a model's rate in one run of 120 units: demand of twice the limit, most of it at a router that is another one each
 * 7 s; a lull; ejections and their end; panic; a router that is cut off from the owner and comes back; another limit by policy.
 *
 * @param unitNanos 1 s, or longer so that 10 units hold 50 requests
 */
record RateCourse(int routers, long milliRps, long unitNanos) {
    static final int UNITS = 120;
    static final int CUT_ROUTER = 1;
    private static final int LULL = 25;
    private static final int LULL_ENDS = 28;
    private static final int CUT = 70;
    private static final int CUT_ENDS = 85;
    private static final long SECOND = 1_000_000_000L;
    private static final long HOT_NANOS = 7 * SECOND;
    private static final double HOT_PART = 0.7;
    private static final double LOAD = 2;

    private static final List<Change> CHANGES = List.of(
            new Change(40, 0.6, Because.EJECTIONS),
            new Change(52, 1, Because.EJECTIONS),
            new Change(60, 0.2, Because.PANIC),
            new Change(63, 1, Because.EJECTIONS),
            new Change(100, 1.5, Because.POLICY),
            new Change(110, 1, Because.POLICY));

    /** Demand is above the limit, every stream is up and buckets have had time to fill. */
    private static final List<int[]> JUDGED =
            List.of(new int[] {2, LULL}, new int[] {LULL_ENDS + 1, CUT}, new int[] {CUT_ENDS + 1, UNITS});

    private record Change(int unit, double factor, Because because) {}

    static RateCourse of(int routers, long milliRps) {
        return new RateCourse(routers, milliRps, Math.max(SECOND, 5 * SECOND * 1_000 / milliRps));
    }

    /** 250 us, or a thousandth of what lies between two requests. */
    long stepNanos() {
        return Math.clamp(SECOND / milliRps, 250_000L, 5_000_000L);
    }

    long endNanos() {
        return UNITS * unitNanos;
    }

    boolean lull(long nowNanos) {
        return within(nowNanos, LULL, LULL_ENDS);
    }

    boolean cut(long nowNanos) {
        return within(nowNanos, CUT, CUT_ENDS);
    }

    private boolean within(long nowNanos, int from, int to) {
        return nowNanos >= from * unitNanos && nowNanos < to * unitNanos;
    }

    /** Whether a window may be judged. */
    boolean judged(long fromNanos, long toNanos) {
        for (int[] each : JUDGED) if (fromNanos >= each[0] * unitNanos && toNanos <= each[1] * unitNanos) return true;
        return false;
    }

    /** Requests per second that want to pass at a router. */
    double demand(int router, long nowNanos) {
        if (lull(nowNanos)) return 0;
        boolean hot = nowNanos / HOT_NANOS % routers == router;
        double policy = within(nowNanos, 100, 110) ? 1.5 : 1;
        return LOAD * policy * milliRps / 1e3 * (hot ? HOT_PART : (1 - HOT_PART) / (routers - 1));
    }

    /** Tells a limit what has changed in (before, now]. */
    void tell(FallingLimit limit, long beforeNanos, long nowNanos) {
        for (Change each : CHANGES) {
            long at = each.unit() * unitNanos;
            if (at > beforeNanos && at <= nowNanos)
                limit.becomes(Math.round(milliRps * each.factor()), each.because(), nowNanos);
        }
    }
}
