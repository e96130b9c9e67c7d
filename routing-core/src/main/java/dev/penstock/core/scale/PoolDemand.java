package dev.penstock.core.scale;

/**
 * What is asked of a pool.
 *
 * @param known false while no router says anything: the rest is then as last known, and nothing may follow from it
 * @param inputsAgeNanos since the youngest record of any router
 * @param unservedPerSecond requests per second that found no place: growth of queues, shed and expired ones
 * @param serviceSeconds mean time of a completed request
 * @param current requests at once, running or to be run
 * @param longMean of {@code current}
 * @param shortMean of {@code current}
 * @param seenNanos for how long demand has been known
 */
public record PoolDemand(
        boolean known,
        long inputsAgeNanos,
        int running,
        int queued,
        double unservedPerSecond,
        double serviceSeconds,
        double current,
        double longMean,
        double shortMean,
        long seenNanos) {

    /** False when the means are no numbers: unknown, and not zero. */
    boolean finite() {
        return Double.isFinite(longMean) && Double.isFinite(shortMean);
    }
}
