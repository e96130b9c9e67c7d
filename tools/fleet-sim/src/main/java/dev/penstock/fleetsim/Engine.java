package dev.penstock.fleetsim;

/** A replica: works on requests, and has the others wait, first come first served. */
interface Engine {
    int running();

    int queued();

    default int inflight() {
        return running() + queued();
    }

    /** A counter that moves while work is done. */
    long heartbeat();

    /** Returns true when the request has to wait for room. */
    boolean admit(SimRequest request);

    /** What a router's death does: its connections close, and its requests end. Returns how many. */
    int abort(SimRouter router);
}
