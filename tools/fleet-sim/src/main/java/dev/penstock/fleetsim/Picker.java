package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import org.jspecify.annotations.Nullable;

/** One router's choice of a replica. */
interface Picker {
    /** The replica to send to, or null when the router knows none. */
    @Nullable
    ReplicaEntry pick(RosterImage image, long nowNanos);
}
