package dev.penstock.enginesim.engine;

/** How a generation request ended. */
public enum Ending {
    /** The whole answer was written. */
    COMPLETED,
    /** Answered with an error status. */
    REJECTED,
    /** The client closed its connection first. */
    CANCELLED,
    /** Its connection was closed by the fault {@code truncate}. */
    CUT
}
