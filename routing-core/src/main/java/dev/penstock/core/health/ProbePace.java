package dev.penstock.core.health;

import dev.penstock.model.Verdict;
import java.util.random.RandomGenerator;

/**
 * When a replica is probed next: 10 s after the last completion or probe while all is well, each 500 ms +-10 % under
 * suspicion and while it is out, backing off to 5 s where nothing works for long. A probe that hangs does not hold up the
 * next: two may be under way, so that a hang is told from a slow answer within a limit and a half second. One writer.
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

    private static final int MOST_UNDER_WAY = 2;
    private static final double BACK_OFF = 1.25;

    private final RandomGenerator random;
    private long calmDueNanos;
    private long fastDueNanos;
    private int underWay;

    ProbePace(RandomGenerator random, long nowNanos) {
        this.random = random;
        calmDueNanos = nowNanos + (long) (FIRST_NANOS * random.nextDouble());
        fastDueNanos = nowNanos;
    }

    boolean due(boolean fast, Evidence evidence, long nowNanos) {
        if (fast) return underWay < MOST_UNDER_WAY && nowNanos - fastDueNanos >= 0;
        return underWay == 0 && nowNanos - calmDueNanos >= 0 && !evidence.okSince(nowNanos - CALM_NANOS);
    }

    void started(long nowNanos) {
        underWay++;
        fastDueNanos = nowNanos + jittered(FAST_NANOS);
    }

    void ended(int failuresInRow, HealthState state, long nowNanos) {
        underWay--;
        calmDueNanos = nowNanos + jittered(CALM_NANOS);
        fastDueNanos = nowNanos + jittered(fastNanos(failuresInRow, state));
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
