package dev.penstock.core.health;

import java.util.random.RandomGenerator;

/**
 * What the operator sets, and the times that follow from it.
 *
 * <pre>
 *   term(k) = base x 2^(k-1), at most max, +-25 %          k = ejections so far, halved per 60 s healthy
 *   stay(k) = min(term(k), 1, 4, 16, 60 s for k = 1, 2, 3, >= 4)
 *   ramp    = min(15 s, 3 x base)
 * </pre>
 *
 * @param panicBelow share of a pool that soft ejections must leave routable
 */
public record HealthRules(double panicBelow, long ejectionBaseNanos, long ejectionMaxNanos) {
    public static final HealthRules DEFAULT = new HealthRules(0.5, seconds(5), seconds(300));

    /** Pooled failure sum that ejects: with the least base rate (1 %) five failures among a few successes. */
    static final double EJECT_SUM = 14;
    /** Pooled failure sum that brings suspicion, and that ends a ramp: two failures with the least base rate are 5.99. */
    static final double SUSPECT_SUM = 5.9;
    /** Steps of failure that must have been seen without the router that saw most: two failures elsewhere. */
    static final double SECOND_OBSERVER_STEPS = 1.9;
    /** Failed probes in a row that say that nothing works. */
    static final int HARD_FAILURES = 2;

    static final int HARD_PASSES = 2;
    /** A replica that fails 30 % of its requests passes 20 in a row with p = 8e-4. */
    static final int SOFT_PASSES = 20;

    static final int HALF_OPEN_SUCCESSES = 3;
    /** A stream that flows for so long in half-open has shown what it had to. */
    static final long FLOW_SUCCESS_NANOS = seconds(2);
    /** Success so recent vetoes a hard verdict. */
    static final long RECENT_NANOS = seconds(2);
    /** A router that has nothing to send gives its permit up. */
    static final long PERMIT_NANOS = seconds(2);
    /** Without any request for so long, probes decide in half-open. */
    static final long IDLE_NANOS = seconds(5);

    static final long HALVED_PER_NANOS = seconds(60);
    private static final long LONGEST_RAMP_NANOS = seconds(15);
    private static final long[] STAY_NANOS = {seconds(1), seconds(4), seconds(16), seconds(60)};
    private static final int MOST_DOUBLINGS = 20;

    long termNanos(int ejections, RandomGenerator random) {
        double term = ejectionBaseNanos * Math.pow(2, Math.clamp(ejections - 1, 0, MOST_DOUBLINGS));
        return (long) (Math.min(term, ejectionMaxNanos) * (0.75 + 0.5 * random.nextDouble()));
    }

    long stayNanos(int ejections, RandomGenerator random) {
        return Math.min(termNanos(ejections, random), STAY_NANOS[Math.clamp(ejections - 1, 0, STAY_NANOS.length - 1)]);
    }

    long rampNanos() {
        return Math.min(LONGEST_RAMP_NANOS, 3 * ejectionBaseNanos);
    }

    static long seconds(long seconds) {
        return seconds * 1_000_000_000L;
    }
}
