package dev.penstock.core.quarantine;

/**
 * What one failure and one success say about a replica, in nats: the log-likelihood ratio of "it fails at rate p1" against
 * "it fails at the pool's base rate pb".
 *
 * <pre>
 *   pb = clamp(1.5 x median failure rate of the pool's replicas, 0.01, 0.15)      p1 = clamp(4 pb, 0.2, 0.9)
 *   failureStep = ln(p1 / pb)                                                    successStep = ln((1 - pb) / (1 - p1))
 * </pre>
 *
 * The median, because a mean hides 40 % gray replicas among their own failures.
 */
public record FailureOdds(double failureStep, double successStep) {
    private static final double MEDIAN_FACTOR = 1.5;
    private static final double LEAST_BASE = 0.01;
    private static final double MOST_BASE = 0.15;

    /** Where no replica has failed yet. */
    public static final FailureOdds QUIET = ofMedian(0);

    public static FailureOdds ofMedian(double medianFailureRate) {
        double base = Math.clamp(MEDIAN_FACTOR * medianFailureRate, LEAST_BASE, MOST_BASE);
        double sick = Math.clamp(4 * base, 0.2, 0.9);
        return new FailureOdds(Math.log(sick / base), Math.log((1 - base) / (1 - sick)));
    }
}
