package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaCell;

/** One request in an engine. */
final class SimRequest {
    final SimRouter router;
    final int number;
    final ReplicaCell cell;
    final long serviceNanos;
    final long sentNanos;
    boolean aborted;

    SimRequest(SimRouter router, int number, ReplicaCell cell, long serviceNanos, long sentNanos) {
        this.router = router;
        this.number = number;
        this.cell = cell;
        this.serviceNanos = serviceNanos;
        this.sentNanos = sentNanos;
    }
}
