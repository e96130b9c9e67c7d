package dev.penstock.fleetsim;

import org.jspecify.annotations.Nullable;

/**
 * One fleet and what happens to it.
 *
 * @param load offered work over all slots, 0 to 1
 * @param stateAgeNanos mean age of what a router knows of the others and of the engines: half a period of sending and the
 *     rest on the way
 * @param warmNanos before anything is measured: the fleet begins empty
 */
record Scene(
        int replicas,
        int slots,
        int routers,
        ServiceTimes service,
        double load,
        long stateAgeNanos,
        double loss,
        double duplication,
        long warmNanos,
        long measuredNanos,
        @Nullable Kill kill) {
    static final long VECTOR_PERIOD_NANOS = 100_000_000L;
    static final long FRAME_PERIOD_NANOS = SimCollector.INTERVAL_MILLIS * 1_000_000L;

    Scene {
        if (replicas < 1 || slots < 1 || routers < 1) {
            throw new IllegalArgumentException("scene: " + replicas + " replicas, " + slots + " slots and " + routers
                    + " routers must be at least 1 each");
        }
        if (!(load > 0 && load < 1)) throw new IllegalArgumentException("scene: load " + load + " is not in (0, 1)");
    }

    /** The first router dies when measuring ends and is back a while later; the run ends after {@code watchNanos}. */
    record Kill(long restartAfterNanos, long watchNanos) {}

    Scene measured(long nanos) {
        return new Scene(
                replicas, slots, routers, service, load, stateAgeNanos, loss, duplication, warmNanos, nanos, kill);
    }

    Scene lossy(double nextLoss, double nextDuplication) {
        return new Scene(
                replicas,
                slots,
                routers,
                service,
                load,
                stateAgeNanos,
                nextLoss,
                nextDuplication,
                warmNanos,
                measuredNanos,
                kill);
    }

    long measureEndNanos() {
        return warmNanos + measuredNanos;
    }

    long endNanos() {
        return measureEndNanos() + (kill == null ? 0 : kill.watchNanos());
    }

    double arrivalsPerNano() {
        return load * replicas * slots / service.meanNanos();
    }

    Link.Quality vectorLink() {
        return link(VECTOR_PERIOD_NANOS);
    }

    Link.Quality frameLink() {
        return link(FRAME_PERIOD_NANOS);
    }

    private Link.Quality link(long periodNanos) {
        return new Link.Quality(Math.max(0, stateAgeNanos - periodNanos / 2), loss, duplication);
    }
}
