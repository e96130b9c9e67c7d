package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One router's choice of a replica. */
interface Picker {
    /** The replica to send to, or null when the router knows none. */
    @Nullable
    ReplicaEntry pick(RosterImage image, long nowNanos);

    /** The next choice for the same request, when the ones before refused to be connected to. */
    @Nullable
    default ReplicaEntry pickAgain(RosterImage image, long nowNanos) {
        return pick(image, nowNanos);
    }

    /**
     * What a policy may look at besides the router's view.
     *
     * @param replicas the truth, for the oracle, and for ages
     * @param peers what the other routers have published
     */
    record Knowledge(Replicas replicas, RawPeers peers, RandomGenerator random) {}
}
