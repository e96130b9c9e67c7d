package dev.penstock.ledgermodel.slots;

/** How slots come to routers. */
enum Policy {
    /** Each period, by what was reported; a request without a slot waits, and says so in the next report. */
    PERIODIC(true, false),
    /** And by an ASK for each request without a slot. */
    ASK(true, true),
    /** Split among the routers that are there at the start; a released slot stays with its router. */
    STAY(false, false);

    final boolean moves;
    final boolean asks;

    Policy(boolean moves, boolean asks) {
        this.moves = moves;
        this.asks = asks;
    }
}
