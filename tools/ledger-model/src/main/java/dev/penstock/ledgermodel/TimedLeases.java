package dev.penstock.ledgermodel;

import java.util.SplittableRandom;

/**
 * The baseline of leases that expire: the owner grants a slot for a time and takes it for free when that is over. Holders start
 * nothing on a lease that is over by their own clock, which stands still while they are paused; what they started runs on.
 */
final class TimedLeases {
    private static final int TICKS = 20;

    private TimedLeases() {}

    /** Requests in flight above a replica's limit, at most; of one replica, since they do not meet. */
    static int overshoot(Bounds bounds, long steps, SplittableRandom random) {
        int names = bounds.names();
        long now = 0;
        long[] clock = new long[names];
        // By holder and slot: until when it was granted, as its owner and its holder know, and whether a request runs
        // on it.
        long[][] until = new long[names][bounds.limit()];
        boolean[][] runs = new boolean[names][bounds.limit()];
        int worst = 0;
        for (long i = 0; i < steps; i++) {
            int router = random.nextInt(names);
            int slot = random.nextInt(bounds.limit());
            switch (random.nextInt(5)) {
                case 0 -> {
                    if (leased(until, now) < bounds.limit() && until[router][slot] <= now)
                        until[router][slot] = now + TICKS;
                }
                case 1 -> {
                    if (until[router][slot] > clock[router]) runs[router][slot] = true;
                }
                case 2 -> runs[router][slot] = false;
                case 3 -> now++;
                default -> clock[router] = now;
            }
            worst = Math.max(worst, running(runs) - bounds.limit());
        }
        return worst;
    }

    private static int leased(long[][] until, long now) {
        int leased = 0;
        for (long[] router : until) for (long each : router) if (each > now) leased++;
        return leased;
    }

    private static int running(boolean[][] runs) {
        int running = 0;
        for (boolean[] router : runs) for (boolean each : router) if (each) running++;
        return running;
    }
}
