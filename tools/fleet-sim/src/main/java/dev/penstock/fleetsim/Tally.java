package dev.penstock.fleetsim;

/** What was counted in one run. The run writes it. */
final class Tally {
    long arrived;
    long completed;
    /** Ended by the death of their router. */
    long aborted;
    /** No router listened, or it knew no replica. */
    long refused;
    /** In engines at the end of the run. */
    long running;

    long queued;
    /** Until that long after the kill some router counted requests of the dead one; 0 without a kill. */
    double deadCountSeconds;

    private long measured;
    private long waited;
    private long looks;
    private double ratios;

    void measured(boolean waits) {
        measured++;
        if (waits) waited++;
    }

    void balance(double maxOverMean) {
        looks++;
        ratios += maxOverMean;
    }

    double figure(Figure figure) {
        return switch (figure) {
            case MAX_OVER_MEAN_INFLIGHT -> looks == 0 ? 0 : ratios / looks;
            case WAITED_PCT -> measured == 0 ? 0 : 100.0 * waited / measured;
            case DEAD_COUNT_SECONDS -> deadCountSeconds;
        };
    }
}
