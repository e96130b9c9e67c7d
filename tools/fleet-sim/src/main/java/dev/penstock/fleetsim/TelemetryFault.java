package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What goes wrong with the telemetry of some replicas from a time on, to the end of the run. They have a collector of their
 * own, so that delay and loss happen on its links.
 *
 * @param share of the replicas, at least one
 */
record TelemetryFault(Kind kind, double share, long atNanos) {
    static final String COLLECTOR = "collector-1";

    private static final long LATE_NANOS = 5_000_000_000L;

    enum Kind {
        /** Samples come as ever, and all say the same. */
        FROZEN,
        /** No sample comes. */
        DROPPED,
        /** Samples come 5 s late. */
        DELAYED
    }

    Network.Shape on(Network.Shape network) {
        return switch (kind) {
            case FROZEN -> network;
            case DROPPED -> network.disturbed(List.of(fromHere(Link.Quality.cut())));
            case DELAYED -> network.disturbed(List.of(fromHere(Link.Quality.late(LATE_NANOS))));
        };
    }

    private Network.Disturbance fromHere(Link.Quality quality) {
        return new Network.Disturbance(COLLECTOR, Network.Disturbance.ANY, atNanos, Long.MAX_VALUE, quality);
    }

    /** Which replicas are affected: by number, true or false. */
    boolean[] affected(int replicas, SplittableRandom random) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = 0; number < replicas; number++) numbers.add(number);
        boolean[] affected = new boolean[replicas];
        long count = Math.max(1, Math.round(share * replicas));
        for (long i = 0; i < count; i++) affected[numbers.remove(random.nextInt(numbers.size()))] = true;
        return affected;
    }
}
