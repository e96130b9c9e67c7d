package dev.penstock.ledgermodel.slots;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A fleet and what is asked of it: Poisson arrivals, exponential service.
 *
 * @param load offered, of all slots
 * @param hotShare of the arrivals at one router, another each flip; the others share the rest
 * @param warmNanos from the start, in which nothing is counted
 * @param endNanos of the arrivals
 */
record Scene(
        int routers,
        int replicas,
        int limit,
        double load,
        double hotShare,
        long flipNanos,
        long warmNanos,
        long endNanos) {
    static final long SECOND = 1_000_000_000L;
    private static final long SERVICE_NANOS = 2 * SECOND;

    int slots() {
        return replicas * limit;
    }

    List<Request> requests(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double gapNanos = SERVICE_NANOS / (load * slots());
        List<Request> requests = new ArrayList<>();
        for (long at = exponential(random, gapNanos); at < endNanos; at += exponential(random, gapNanos))
            requests.add(new Request(at, router(at, random), exponential(random, SERVICE_NANOS)));
        return requests;
    }

    private int router(long atNanos, SplittableRandom random) {
        int hot = (int) (atNanos / flipNanos % routers);
        if (random.nextDouble() < hotShare) return hot;
        return (hot + 1 + random.nextInt(routers - 1)) % routers;
    }

    private static long exponential(SplittableRandom random, double mean) {
        return (long) Math.ceil(-mean * Math.log1p(-random.nextDouble()));
    }
}
