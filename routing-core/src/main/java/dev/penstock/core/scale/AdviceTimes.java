package dev.penstock.core.scale;

import java.time.Duration;

/**
 * Spans that advice rests on.
 *
 * @param silence a router that said nothing for this long does not count, and neither does a recommendation of this age when
 *     it would lower
 * @param shortMean of the mean that notices a surge
 * @param longMean of the mean that replicas are planned by; also the demand that must be seen before anything is lowered
 * @param rateWindow of what goes unserved per second
 * @param lowerAfter fewer replicas must be enough for this long
 * @param unavailableAfter older than this nothing is served
 */
public record AdviceTimes(
        Duration silence,
        Duration shortMean,
        Duration longMean,
        Duration rateWindow,
        Duration lowerAfter,
        Duration unavailableAfter) {
    public static final AdviceTimes DEFAULT = new AdviceTimes(
            Duration.ofSeconds(3),
            Duration.ofSeconds(6),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30));

    public AdviceTimes {
        if (shortMean.compareTo(longMean) > 0) {
            throw new IllegalArgumentException("shortMean: " + shortMean + ", expected at most longMean, " + longMean);
        }
        if (silence.compareTo(unavailableAfter) > 0) {
            throw new IllegalArgumentException(
                    "silence: " + silence + ", expected at most unavailableAfter, " + unavailableAfter);
        }
    }
}
