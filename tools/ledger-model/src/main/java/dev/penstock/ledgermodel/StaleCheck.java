package dev.penstock.ledgermodel;

import java.util.SplittableRandom;

/** The baseline of shared counts: a router sends when its own requests and what it last heard of the others' leave room. */
final class StaleCheck {
    private StaleCheck() {}

    /** Requests in flight above a replica's limit, at most. */
    static int overshoot(Bounds bounds, long steps, SplittableRandom random) {
        int names = bounds.names();
        int[][] own = new int[bounds.replicas()][names];
        int[][][] heard = new int[bounds.replicas()][names][names];
        int worst = 0;
        for (long i = 0; i < steps; i++) {
            int replica = random.nextInt(bounds.replicas());
            int router = random.nextInt(names);
            switch (random.nextInt(3)) {
                case 0 -> {
                    int known = own[replica][router];
                    for (int peer = 0; peer < names; peer++) known += heard[replica][router][peer];
                    if (known < bounds.limit()) own[replica][router]++;
                }
                case 1 -> own[replica][router] = Math.max(0, own[replica][router] - 1);
                default -> {
                    int peer = random.nextInt(names);
                    if (peer != router) heard[replica][router][peer] = own[replica][peer];
                }
            }
            int inFlight = 0;
            for (int count : own[replica]) inFlight += count;
            worst = Math.max(worst, inFlight - bounds.limit());
        }
        return worst;
    }
}
