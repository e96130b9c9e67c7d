package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaCell;

/** One request in an engine. */
final class SimRequest {
    final SimRouter router;
    final int number;
    final ReplicaCell cell;
    final Demand demand;
    final long sentNanos;
    /** Sent while measuring. */
    final boolean measured;

    long startedNanos;
    /** Of an engine of slots, which tells no tokens, the start. */
    long firstTokenNanos;

    boolean aborted;

    SimRequest(SimRouter router, int number, ReplicaCell cell, Demand demand, long sentNanos, boolean measured) {
        this.router = router;
        this.number = number;
        this.cell = cell;
        this.demand = demand;
        this.sentNanos = sentNanos;
        this.measured = measured;
    }
}
