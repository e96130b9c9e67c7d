package dev.penstock.core.health;

/**
 * How a deep probe ended.
 *
 * @param detail for people
 */
public record ProbeResult(Kind kind, String detail, long latencyNanos) {
    /** What it says of the replica. */
    public enum Kind {
        PASSED,
        /** Works, but not for us just now, or cannot be asked this way: neither pass nor failure. */
        BUSY,
        FAILED,
        /** Refused, reset or no route: a failure, and nobody is there. */
        UNREACHABLE
    }

    public boolean failed() {
        return kind == Kind.FAILED || kind == Kind.UNREACHABLE;
    }
}
