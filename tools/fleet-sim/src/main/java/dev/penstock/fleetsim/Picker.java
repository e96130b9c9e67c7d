package dev.penstock.fleetsim;

import dev.penstock.core.prefix.PrefixMatch;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One router's choice of a replica. */
interface Picker {
    /** The replica to send to, or null when the router knows none. */
    @Nullable
    ReplicaEntry pick(RosterImage image, long nowNanos);

    /** The same, for those to whom it matters what is asked. */
    @Nullable
    default ReplicaEntry pick(RosterImage image, Ask ask, long nowNanos) {
        return pick(image, nowNanos);
    }

    /**
     * A request as a router sees it.
     *
     * @param match what the router knows of who has its prompt; nobody where it does not look
     */
    record Ask(Demand demand, PrefixMatch match) {}

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
