package dev.penstock.core.quarantine;

import java.util.random.RandomGenerator;

/**
 * A router's own judgement of one replica. Three failures in a row, a refused connect, silence, or a failure sum of 14 shut it out at once; the
 * way back is a deep probe passed since (as long as health-svc is heard of), a growing wait (0.5 s doubling to 10 s, +-25 %),
 * then a TCP connect of the router's own, then one client request at a time until one succeeds. It is never published as a
 * verdict and needs no fresh telemetry.
 *
 * <pre>
 *   Clear --3 in a row, refused, silence, sum >= 14--> Shut --wait over, connect passed--> Trial --success--> Clear
 *                                                       ^  \--connect failed (wait grows)     |
 *                                                       \-------failure, refused, silence-----/
 * </pre>
 *
 * The sum is a CUSUM: a failure adds {@link FailureOdds#failureStep} times its weight, a success takes
 * {@link FailureOdds#successStep} away, and it never falls below zero.
 *
 * Immutable; the cell swaps states by compare-and-set.
 */
public sealed interface Quarantine {
    /** Failures in a row that shut a replica out. */
    int FAILURES_IN_ROW = 3;

    /** First wait; doubles with each failed return. */
    long BASE_WAIT_NANOS = 500_000_000L;

    long MAX_WAIT_NANOS = 10_000_000_000L;

    /** Failure sum that shuts a replica out: with the least base rate (1 %), five failures among a few successes. */
    double SUM_LIMIT = 14;

    /** Deep probes in a row that a replica shut by its failure sum must pass: at 30 % failures that is 8 in 10,000. */
    int GRAY_PASSES = 20;

    Quarantine CLEAR = new Clear(0, 0);

    /** True when a request may be sent; for a trial only by whoever takes it ({@link Trial#take}). */
    boolean admits();

    /**
     * A failure that counts against the replica, or a failed connect.
     *
     * @param sumStep what it adds to the failure sum; 0 for a connect, which says nothing of how requests end
     */
    Quarantine failed(double sumStep, long nowNanos, RandomGenerator random);

    /** A connect that was refused: nobody listens there, and the next request would only be told the same. */
    Quarantine refused(long nowNanos, RandomGenerator random);

    /**
     * A request that ended well.
     *
     * @param sumStep what it takes off the failure sum
     */
    Quarantine succeeded(double sumStep);

    /** Requests are open there and not a byte comes (see {@link SilenceRule}). */
    Quarantine silent(long nowNanos, RandomGenerator random);

    /** A request that ended without telling anything of the replica (client gone, client's mistake). */
    default Quarantine endedNeutrally() {
        return this;
    }

    /** No quarantine; failures in a row and the failure sum so far. */
    record Clear(int failuresInRow, double sum) implements Quarantine {
        @Override
        public boolean admits() {
            return true;
        }

        @Override
        public Quarantine failed(double sumStep, long nowNanos, RandomGenerator random) {
            if (failuresInRow + 1 >= FAILURES_IN_ROW) return shut(1, nowNanos, random);
            if (sum + sumStep >= SUM_LIMIT) return shut(GRAY_PASSES, nowNanos, random);
            return new Clear(failuresInRow + 1, sum + sumStep);
        }

        @Override
        public Quarantine succeeded(double sumStep) {
            if (failuresInRow == 0 && sum == 0) return this;
            return sum <= sumStep ? CLEAR : new Clear(0, sum - sumStep);
        }

        @Override
        public Quarantine refused(long nowNanos, RandomGenerator random) {
            return shut(1, nowNanos, random);
        }

        @Override
        public Quarantine silent(long nowNanos, RandomGenerator random) {
            return shut(1, nowNanos, random);
        }

        private static Quarantine shut(int passesNeeded, long nowNanos, RandomGenerator random) {
            return new Shut(0, nowNanos + waitNanos(0, random), nowNanos, passesNeeded);
        }
    }

    /**
     * Nothing is sent. After the wait the router connects by itself.
     *
     * @param returns failed returns so far: the exponent of the wait
     * @param sinceNanos last failure: only a deep probe that passed after it opens the way back
     * @param passesNeeded deep probes in a row that must have passed; a gray engine passes most
     */
    record Shut(int returns, long untilNanos, long sinceNanos, int passesNeeded) implements Quarantine {
        @Override
        public boolean admits() {
            return false;
        }

        /** True when the router's own connect is due. */
        public boolean connectDue(long nowNanos) {
            return nowNanos - untilNanos >= 0;
        }

        public Quarantine connected() {
            return new Trial(returns, false, passesNeeded);
        }

        public Quarantine connectFailed(long nowNanos, RandomGenerator random) {
            return new Shut(returns + 1, nowNanos + waitNanos(returns + 1, random), sinceNanos, passesNeeded);
        }

        /** Requests sent before the quarantine may still fail: they say nothing new. */
        @Override
        public Quarantine failed(double sumStep, long nowNanos, RandomGenerator random) {
            return this;
        }

        @Override
        public Quarantine refused(long nowNanos, RandomGenerator random) {
            return this;
        }

        /** A late success of a request sent earlier does not end a quarantine: only a trial does. */
        @Override
        public Quarantine succeeded(double sumStep) {
            return this;
        }

        @Override
        public Quarantine silent(long nowNanos, RandomGenerator random) {
            return this;
        }
    }

    /** One client request at a time, until one succeeds. */
    record Trial(int returns, boolean taken, int passesNeeded) implements Quarantine {
        @Override
        public boolean admits() {
            return !taken;
        }

        public Quarantine take() {
            return new Trial(returns, true, passesNeeded);
        }

        @Override
        public Quarantine failed(double sumStep, long nowNanos, RandomGenerator random) {
            return new Shut(returns + 1, nowNanos + waitNanos(returns + 1, random), nowNanos, passesNeeded);
        }

        @Override
        public Quarantine succeeded(double sumStep) {
            return CLEAR;
        }

        @Override
        public Quarantine refused(long nowNanos, RandomGenerator random) {
            return failed(0, nowNanos, random);
        }

        /** Only the trial's own silence counts: what was open before it may never end. */
        @Override
        public Quarantine silent(long nowNanos, RandomGenerator random) {
            return taken ? failed(0, nowNanos, random) : this;
        }

        @Override
        public Quarantine endedNeutrally() {
            return new Trial(returns, false, passesNeeded);
        }
    }

    private static long waitNanos(int returns, RandomGenerator random) {
        long wait = returns >= 5 ? MAX_WAIT_NANOS : Math.min(MAX_WAIT_NANOS, BASE_WAIT_NANOS << returns);
        return (long) (wait * (0.75 + 0.5 * random.nextDouble()));
    }
}
