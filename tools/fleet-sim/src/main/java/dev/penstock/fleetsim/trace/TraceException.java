package dev.penstock.fleetsim.trace;

/** A trace that cannot be read as one; the message names file, line, field, value and what was expected. */
public final class TraceException extends RuntimeException {
    TraceException(String message) {
        super(message);
    }
}
