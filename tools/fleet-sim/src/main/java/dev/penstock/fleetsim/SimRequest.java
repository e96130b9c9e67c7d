package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaCell;
import java.util.List;
import java.util.function.Predicate;

/** One request in an engine. */
final class SimRequest {
    final SimRouter router;
    final int number;
    final ReplicaCell cell;
    Demand demand;
    final long sentNanos;
    /** Sent while measuring. */
    final boolean measured;

    long startedNanos;
    /** Of an engine of slots, which tells no tokens, the start. */
    long firstTokenNanos;

    /** Of its prompt, what its engine had in its cache. */
    int hitTokens;

    /** No engine works on it any more. */
    boolean aborted;

    /** Its router has had a byte of the answer. */
    boolean heard;

    /** Its answer ends before it is whole. */
    boolean breaksOff;

    SimRequest(SimRouter router, int number, ReplicaCell cell, Demand demand, long sentNanos, boolean measured) {
        this.router = router;
        this.number = number;
        this.cell = cell;
        this.demand = demand;
        this.sentNanos = sentNanos;
        this.measured = measured;
    }

    /** An engine gives it up, if it is one of those; returns whether it is. */
    boolean givenUpTo(List<SimRequest> given, Predicate<SimRequest> which) {
        if (!which.test(this)) return false;
        aborted = true;
        given.add(this);
        return true;
    }

    /** The engine will fail it after that share of its tokens, the first one at least. */
    void breakOff(double share) {
        breaksOff = true;
        demand = demand.cutTo(share);
    }

    int promptTokens() {
        return demand.promptTokens();
    }

    /** Its first token has come, and others follow one by one. */
    boolean streaming() {
        return firstTokenNanos != 0 && !aborted;
    }
}
