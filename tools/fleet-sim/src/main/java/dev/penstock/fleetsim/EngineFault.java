package dev.penstock.fleetsim;

/** What goes wrong with one replica for a time. Afterwards it is as good as new. */
sealed interface EngineFault {
    int number();

    long atNanos();

    /** First instant after it. */
    long untilNanos();

    default boolean lastsAt(long nowNanos) {
        return nowNanos >= atNanos() && nowNanos < untilNanos();
    }

    /** For how long it has been over; long, before it begins, and negative while it lasts. */
    default long wellForNanos(long nowNanos) {
        return nowNanos < atNanos() ? Long.MAX_VALUE : nowNanos - untilNanos();
    }

    /** What it works on fails at once; it refuses connections and tells no telemetry. */
    record Crash(int number, long atNanos, long untilNanos) implements EngineFault {}

    /**
     * It takes connections and requests and sends not a byte more. What it holds fails when it is over.
     *
     * @param scrapable its telemetry goes on, telling that nothing moves
     */
    record Blackhole(int number, long atNanos, long untilNanos, boolean scrapable) implements EngineFault {}

    /** @param share of the requests sent meanwhile that fail somewhere between their first token and their last */
    record Gray(int number, long atNanos, long untilNanos, double share) implements EngineFault {
        public Gray {
            if (!(share > 0 && share <= 1)) {
                throw new IllegalArgumentException("engine fault: gray share " + share + " is not in (0, 1]");
            }
        }
    }
}
