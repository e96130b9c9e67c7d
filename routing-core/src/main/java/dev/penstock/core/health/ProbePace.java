package dev.penstock.core.health;

import dev.penstock.model.Verdict;
import java.util.random.RandomGenerator;

/**
 * When a replica is probed next: 10 s after the last completion or probe while all is well, each 500 ms +-10 % under
 * suspicion and while it is out, backing off to 5 s where nothing works for long. One probe at a time. One writer.
 */
final class ProbePace {
    private static final long CALM_NANOS = HealthRules.seconds(10);
    private static final long FAST_NANOS = 500_000_000L;
    private static final long SLOWEST_NANOS = HealthRules.seconds(5);
    private static final double JITTER = 0.1;
    /** A new replica is asked within the first second, not all of a fleet at once. */
    private static final long FIRST_NANOS = HealthRules.seconds(1);
    /** So many failures are probed at full pace: a short fault is noticed to be over at once. */
    private static final int PATIENT_FAILURES = 10;

    private static final double BACK_OFF = 1.25;

    private final RandomGenerator random;
    private long calmDueNanos;
    private long fastDueNanos;
    private boolean underWay;

    ProbePace(RandomGenerator random, long nowNanos) {
        this.random = random;
        calmDueNanos = nowNanos + (long) (FIRST_NANOS * random.nextDouble());
        fastDueNanos = nowNanos;
    }

    boolean due(boolean fast, Evidence evidence, long nowNanos) {
        if (underWay) return false;
        if (fast) return nowNanos - fastDueNanos >= 0;
        return nowNanos - calmDueNanos >= 0 && !evidence.okSince(nowNanos - CALM_NANOS);
    }

    void started() {
        underWay = true;
    }

    void ended(ProbeRecord probes, HealthState state, long nowNanos) {
        underWay = false;
        calmDueNanos = nowNanos + jittered(CALM_NANOS);
        fastDueNanos = nowNanos + jittered(fastNanos(probes.failuresInRow(), state));
    }

    /** The next one at once. */
    void hurry(long nowNanos) {
        fastDueNanos = nowNanos;
    }

    private static long fastNanos(int failuresInRow, HealthState state) {
        boolean hard = state instanceof HealthState.Ejected ejected && ejected.severity() == Verdict.Severity.HARD;
        int over = failuresInRow - PATIENT_FAILURES;
        if (!hard || over <= 0) return FAST_NANOS;
        return (long) Math.min(SLOWEST_NANOS, FAST_NANOS * Math.pow(BACK_OFF, over));
    }

    private long jittered(long nanos) {
        return (long) (nanos * (1 - JITTER + 2 * JITTER * random.nextDouble()));
    }
}
