package dev.penstock.fleetsim;

import java.util.Locale;

/** What scenarios measure; in all of them less is better. */
enum Figure {
    /** Most in-flight requests of a replica over the mean of all, at an instant; mean over instants 100 ms apart. */
    MAX_OVER_MEAN_INFLIGHT,
    /** Share of requests that found no free slot at their replica, per cent. */
    WAITED_PCT,
    /** From a router's death until no other router counts its requests. */
    DEAD_COUNT_SECONDS;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
