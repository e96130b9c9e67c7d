package dev.penstock.core.rate;

/**
 * A model's limit as its routable replicas come and go. It rises at once. When ejections lower it, it falls over 5 s, so that a flap
 * of health does not refuse a part of the model's requests; in panic it stays, since excluded replicas are used then. What a policy
 * says holds at once. One thread.
 *
 * <pre>
 *   slope = max(slope while it is falling, (now - next) / 5 s)
 * </pre>
 */
public final class FallingLimit {
    /** Why a limit is another one. */
    public enum Because {
        POLICY,
        EJECTIONS,
        /** Ejections, most of which are not believed. */
        PANIC
    }

    private static final long FALL_NANOS = 5_000_000_000L;

    private double fromMilliRps;
    private long fromNanos;
    private double slopePerNano;
    private long targetMilliRps;

    public FallingLimit(long milliRps, long nowNanos) {
        fromMilliRps = milliRps;
        targetMilliRps = milliRps;
        fromNanos = nowNanos;
    }

    /** What the replicas and the policy come to. */
    public void becomes(long milliRps, Because because, long nowNanos) {
        double current = at(nowNanos);
        boolean falling = current > targetMilliRps;
        boolean lower = milliRps < current;
        if (because == Because.PANIC && lower) {
            at(current, Math.round(current), 0, nowNanos);
        } else if (because == Because.POLICY || !lower) {
            at(milliRps, milliRps, 0, nowNanos);
        } else {
            double slope = (current - milliRps) / FALL_NANOS;
            at(current, milliRps, falling ? Math.max(slopePerNano, slope) : slope, nowNanos);
        }
    }

    private void at(double milliRps, long target, double slope, long nowNanos) {
        fromMilliRps = milliRps;
        targetMilliRps = target;
        slopePerNano = slope;
        fromNanos = nowNanos;
    }

    public RateLimit now(long nowNanos) {
        return new RateLimit((long) at(nowNanos));
    }

    private double at(long nowNanos) {
        return Math.max(targetMilliRps, fromMilliRps - slopePerNano * (nowNanos - fromNanos));
    }
}
