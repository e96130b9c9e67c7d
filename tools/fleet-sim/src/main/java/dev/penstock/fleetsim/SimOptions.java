package dev.penstock.fleetsim;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a scenario is run.
 *
 * @param seeds how many, or null for what the form has: 3, or 20 in full
 * @param full longer or larger, for figures to quote; else the small form that the build runs
 * @param trace of scenario {@code trace}: a file instead of a generated one
 * @param speed with a trace: how many times faster than it was; null for a load of 0.8
 */
public record SimOptions(
        @Nullable Integer seeds,
        boolean full,
        @Nullable Path trace,
        @Nullable Double speed) {
    private static final int SMALL_SEEDS = 3;
    private static final int FULL_SEEDS = 20;

    public SimOptions {
        if (seeds != null && seeds < 1) {
            throw new IllegalArgumentException("seeds: expected at least 1, got " + seeds);
        }
        if (speed != null && trace == null) throw new IllegalArgumentException("speed: expected with a trace only");
        if (speed != null && !(speed > 0)) {
            throw new IllegalArgumentException("speed: expected more than 0, got " + speed);
        }
    }

    /** The small form. */
    public static SimOptions small() {
        return new SimOptions(null, false, null, null);
    }

    public int seedCount() {
        return seeds != null ? seeds : full ? FULL_SEEDS : SMALL_SEEDS;
    }

    /** What to add to the scenario's name to get the same again. */
    String arguments() {
        return (trace == null ? "" : " --trace " + trace)
                + (speed == null ? "" : String.format(Locale.ROOT, " --speed %s", speed))
                + (full ? " --full" : "")
                + (seeds == null ? "" : " --seeds " + seeds);
    }
}
