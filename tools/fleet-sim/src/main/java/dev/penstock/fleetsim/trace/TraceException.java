package dev.penstock.fleetsim.trace;

/**
 * A trace that cannot be used as one; the message names the file, the line and the field where it is about one, what was
 * expected and what was found.
 */
public final class TraceException extends RuntimeException {
    public TraceException(String message) {
        super(message);
    }
}
