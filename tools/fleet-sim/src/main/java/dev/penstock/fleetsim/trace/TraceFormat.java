package dev.penstock.fleetsim.trace;

/** How a line becomes a request; its time counts from an origin of the format's own. */
interface TraceFormat {
    /** The field that tells the time, for messages. */
    String timeField();

    TraceRequest parse(TraceLine line);
}
