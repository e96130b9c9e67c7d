package dev.penstock.fleetsim;

import java.util.List;

/** Watches how long the living count a dead router's requests. */
final class RouterDeath {
    private static final long LOOK_NANOS = 10_000_000L;
    /** Half a request: what rounding leaves in the cells is less. */
    private static final long DEAD_MILLI = 500;

    private RouterDeath() {}

    static void watch(EventQueue events, List<SimRouter> routers, Tally tally) {
        long diedNanos = events.nowNanos();
        events.every(0, LOOK_NANOS, () -> {
            for (SimRouter router : routers) {
                if (router.alive() && router.deadMilli() > DEAD_MILLI) {
                    tally.deadCountSeconds = (events.nowNanos() - diedNanos) / 1e9;
                }
            }
            return true;
        });
    }
}
