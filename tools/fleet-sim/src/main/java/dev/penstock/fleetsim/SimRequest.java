package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaCell;

/** One request in an engine. */
final class SimRequest {
    final SimRouter router;
    final ReplicaCell cell;
    final long serviceNanos;
    boolean aborted;

    SimRequest(SimRouter router, ReplicaCell cell, long serviceNanos) {
        this.router = router;
        this.cell = cell;
        this.serviceNanos = serviceNanos;
    }
}
