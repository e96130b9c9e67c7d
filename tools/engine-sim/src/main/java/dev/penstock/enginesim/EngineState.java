package dev.penstock.enginesim;

import dev.penstock.enginesim.engine.RequestCounts;
import dev.penstock.enginesim.fault.Fault;

/**
 * An engine at one moment.
 *
 * @param running sequences in the batch
 * @param waiting sequences queued in the scheduler
 * @param requests the book of its generation requests
 */
public record EngineState(
        String name,
        EngineKind kind,
        int port,
        String profile,
        Fault fault,
        int running,
        int waiting,
        RequestCounts requests) {

    /** Generation requests open at the engine now. */
    public int inflight() {
        return requests.inflight();
    }

    /** Most generation requests that were open at once. */
    public int highWater() {
        return requests.highWater();
    }
}
