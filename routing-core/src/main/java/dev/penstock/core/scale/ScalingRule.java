package dev.penstock.core.scale;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a pool is to be scaled.
 *
 * @param effectiveConcurrency requests at once that a replica is planned for: where more would add little throughput, not
 *     where the engine refuses
 * @param max null = none
 * @param upWindow more must be needed for this long before more are asked for; a surge does not wait
 * @param downWindow what was needed at any time within it is kept
 */
public record ScalingRule(
        double effectiveConcurrency, int min, @Nullable Integer max, Duration upWindow, Duration downWindow) {
    /** For {@code targetConcurrency: auto}, until an engine's knee is learned: what a replica of a small model serves well. */
    public static final double CONCURRENCY_PRIOR = 16;

    public static final ScalingRule DEFAULT =
            new ScalingRule(CONCURRENCY_PRIOR, 1, null, Duration.ZERO, Duration.ofSeconds(300));

    public ScalingRule {
        if (!(effectiveConcurrency > 0)) {
            throw new IllegalArgumentException(
                    "effectiveConcurrency: " + effectiveConcurrency + ", expected more than 0");
        }
        if (min < 0) throw new IllegalArgumentException("min: " + min + ", expected at least 0");
        if (max != null && max < min) {
            throw new IllegalArgumentException("max: " + max + ", expected at least min, " + min);
        }
    }

    /** The nearest number that the limits allow. */
    public int clamp(int replicas) {
        int least = Math.max(replicas, min);
        return max == null ? least : Math.min(least, max);
    }

    /** Replicas that carry this demand. */
    int carrying(double demand) {
        return (int) Math.min(Integer.MAX_VALUE / 4, Math.ceil(demand / effectiveConcurrency));
    }

    /** Replicas on top, for what demand of this size varies by; none for no demand. */
    int headroom(double demand) {
        if (demand <= 0) return 0;
        return Math.max(1, carrying(2 * Math.sqrt(demand)));
    }
}
