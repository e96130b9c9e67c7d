package dev.penstock.core.capacity;

/**
 * At how many requests in flight a replica does half of what it can:
 *
 * <pre>
 *   X = C B / (B + h)                   so that each request is served at x = X / B, and X = C - h x
 *   h = cov(X, Z) / -cov(x, Z)          how much all gain by one more request, over how much each one loses
 * </pre>
 *
 * over windows of three seconds, with Z = B two windows before. Taken over time on one replica, so that unlike speeds of
 * others do not enter, and summed over the replicas of a class, each over its own C. {@link FitEvidence} weighs that
 * against what is thought of h before.
 *
 * <p>Work is counted in lumps (a whole prompt when it is done), so X and x are noisy alike, and any line through them, such as
 * 1/X against 1/B, bends with the noise; with Z as an instrument noise cancels on the mean. B of the same window would not
 * do: a request that comes raises it at once and is counted later, which looks as if more requests made all faster (h eight
 * times too large in windows of a second, at a load of 0.3). Z of the window before still overlaps with prompts that are being
 * computed (h 1.5 to 4 times too large at a steady load); two windows before, they are done.
 *
 * <p>A few seconds at a time, because what is counted late is never more than is in flight: over three times the time it is
 * a third of the noise. One writer.
 */
final class SaturationFit {
    private static final double WINDOW_SECONDS = 3;
    /** What varies by less than a millionth part of itself does not. */
    private static final double ROUNDING = 1e-12;

    private double windowSeconds;
    private double windowWork;
    private double windowInflightSeconds;
    /** In-flight of the two windows before; negative = none. */
    private double before = -1;

    private double beforeThat = -1;

    private double windows;
    private double earlier;
    private double rate;
    private double rateTimesEarlier;
    private double rateEach;
    private double rateEachTimesEarlier;
    private double earlierSquared;
    private double rateSquared;
    private double rateTimesEach;
    private double rateEachSquared;

    /** One tick. */
    void add(double work, double meanInflight, double seconds) {
        windowSeconds += seconds;
        windowWork += work;
        windowInflightSeconds += meanInflight * seconds;
        if (windowSeconds < WINDOW_SECONDS) return;
        window(windowWork / windowSeconds, windowInflightSeconds / windowSeconds);
        windowSeconds = 0;
        windowWork = 0;
        windowInflightSeconds = 0;
    }

    private void window(double ratePerSecond, double meanInflight) {
        double z = beforeThat;
        beforeThat = before;
        before = meanInflight;
        if (z < 0 || meanInflight < CapacityLearner.LEAST_INFLIGHT) return;
        double each = ratePerSecond / meanInflight;
        windows += 1;
        earlier += z;
        rate += ratePerSecond;
        rateTimesEarlier += ratePerSecond * z;
        rateEach += each;
        rateEachTimesEarlier += each * z;
        earlierSquared += z * z;
        rateSquared += ratePerSecond * ratePerSecond;
        rateTimesEach += ratePerSecond * each;
        rateEachSquared += each * each;
    }

    void fade(double factor) {
        windows *= factor;
        earlier *= factor;
        rate *= factor;
        rateTimesEarlier *= factor;
        rateEach *= factor;
        rateEachTimesEarlier *= factor;
        earlierSquared *= factor;
        rateSquared *= factor;
        rateTimesEach *= factor;
        rateEachSquared *= factor;
    }

    /** All that was seen, as if the replica had been that much faster. */
    void scaleRates(double factor) {
        windowWork *= factor;
        rate *= factor;
        rateTimesEarlier *= factor;
        rateEach *= factor;
        rateEachTimesEarlier *= factor;
        rateSquared *= factor * factor;
        rateTimesEach *= factor * factor;
        rateEachSquared *= factor * factor;
    }

    double windows() {
        return windows;
    }

    /** Windows times var(Z). */
    double instrumentSpread() {
        return spread(earlierSquared, earlier);
    }

    double allVariance() {
        return spread(rateSquared, rate) / (windows - 1);
    }

    /** cov(X, X / B). */
    double jointVariance() {
        return (rateTimesEach - rate * rateEach / windows) / (windows - 1);
    }

    /** var(X / B). */
    double eachVariance() {
        return spread(rateEachSquared, rateEach) / (windows - 1);
    }

    private double spread(double squared, double sum) {
        double spread = squared - sum * sum / windows;
        return spread > ROUNDING * squared ? spread : 0;
    }

    /** Windows times cov(X, Z). */
    double gain() {
        return windows == 0 ? 0 : rateTimesEarlier - rate * earlier / windows;
    }

    /** Windows times -cov(X / B, Z). */
    double loss() {
        return windows == 0 ? 0 : rateEach * earlier / windows - rateEachTimesEarlier;
    }
}
