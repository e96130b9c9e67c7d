package dev.penstock.core.capacity;

/**
 * Tells that a replica has become faster or slower than it was (CUSUM, one sum for each direction):
 *
 * <pre>
 *   z = (W / (C u) - 1) sqrt(u) / sigma            W done in u seconds of full use
 *   s = max(0, s + z - 1/2)                        and s = max(0, s - z - 1/2)
 * </pre>
 *
 * Changed when one exceeds 10: by chance once in 40 hours per replica (were z normal), after a twofold step some 10 s later.
 * What was done since that sum last stood at 0 is what the replica does now. One writer.
 */
final class ChangeWatch {
    private static final double SLACK = 0.5;
    private static final double ENOUGH = 10;
    /** Much in one tick is a lump (a long prompt) more often than a change. */
    private static final double MOST = 3;

    private final Side faster = new Side();
    private final Side slower = new Side();

    /** One tick of a replica that had something to do. */
    record Sample(double work, double inflight, double effortSeconds, double seconds) {}

    private static final class Side {
        final Speed since = new Speed();
        double sum;

        boolean add(double z, Sample sample) {
            sum = Math.max(0, sum + z - SLACK);
            if (sum == 0) since.set(0, 0, 0);
            else since.add(sample);
            return sum > ENOUGH;
        }
    }

    /**
     * @param expected work
     * @param noise standard deviation of the work of one second of full use over its mean
     * @return whether it has changed: then {@link #since} is what it does now
     */
    boolean changed(Sample sample, double expected, double noise) {
        double z = (sample.work() / expected - 1) * Math.sqrt(sample.effortSeconds()) / noise;
        z = Math.clamp(z, -MOST, MOST);
        boolean up = faster.add(z, sample);
        boolean down = slower.add(-z, sample);
        return up || down;
    }

    Speed since() {
        return faster.sum > slower.sum ? faster.since : slower.since;
    }

    void clear() {
        faster.sum = 0;
        slower.sum = 0;
    }

    void scale(double factor) {
        faster.since.scale(factor);
        slower.since.scale(factor);
    }
}
