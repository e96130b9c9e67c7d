package dev.penstock.enginesim;

import dev.penstock.enginesim.fault.Fault;

/** Which fault an engine has. Written on its event loop, read by any thread. */
final class FaultState {
    private volatile Fault current = new Fault.None();

    Fault current() {
        return current;
    }

    void become(Fault fault) {
        current = fault;
    }

    /** 0 = awake. */
    int sleepLevel() {
        return current instanceof Fault.Sleep sleep ? sleep.level() : 0;
    }
}
