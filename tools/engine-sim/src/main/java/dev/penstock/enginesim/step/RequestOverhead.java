package dev.penstock.enginesim.step;

import java.util.random.RandomGenerator;

/**
 * Time between the arrival of a request and its entry into the waiting queue: HTTP, tokenizing, hand-over to the
 * scheduler's process. Uniform between two bounds, plus a share that grows with the prompt.
 */
public record RequestOverhead(double minMillis, double maxMillis, double millisPerThousandTokens) {
    public RequestOverhead {
        if (minMillis < 0 || maxMillis < minMillis) {
            throw new IllegalArgumentException(
                    "request overhead: expected 0 <= min <= max ms, got " + minMillis + " and " + maxMillis);
        }
    }

    long nanos(int promptTokens, RandomGenerator random) {
        double millis = minMillis
                + (maxMillis - minMillis) * random.nextDouble()
                + millisPerThousandTokens * promptTokens / 1000.0;
        return Math.round(millis * 1e6);
    }
}
