package dev.penstock.core.view;

import java.util.concurrent.atomic.LongAdder;

/**
 * Share of a replica's requests that failed at this router, over about the last minute (exponential, time constant 60 s).
 * Event loops count; the view's writer folds once a second.
 */
final class FailureRate {
    private static final double KEPT_PER_SECOND = Math.exp(-1 / 60.0);
    /** Fewer requests than this say nothing of a rate. */
    private static final double LEAST_REQUESTS = 10;

    private final LongAdder failures = new LongAdder();
    private final LongAdder successes = new LongAdder();
    private double decayedFailures;
    private double decayedAll;

    void failed() {
        failures.increment();
    }

    void succeeded() {
        successes.increment();
    }

    /** Called once a second. */
    void fold() {
        long failed = failures.sumThenReset();
        decayedFailures = decayedFailures * KEPT_PER_SECOND + failed;
        decayedAll = decayedAll * KEPT_PER_SECOND + failed + successes.sumThenReset();
    }

    boolean known() {
        return decayedAll >= LEAST_REQUESTS;
    }

    double rate() {
        return decayedFailures / decayedAll;
    }
}
