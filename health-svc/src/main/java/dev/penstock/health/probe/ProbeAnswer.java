package dev.penstock.health.probe;

/** What came back of one POST. */
sealed interface ProbeAnswer {
    /** A whole answer. */
    @SuppressWarnings("ArrayRecordComponent") // read once, compared nowhere
    record Whole(int status, byte[] body) implements ProbeAnswer {}

    /** No whole answer in time. */
    record Late(boolean connected) implements ProbeAnswer {}

    /** Refused, reset, no route, no such name. */
    record Unreachable(String reason) implements ProbeAnswer {}

    /** Somebody answered, but not what HTTP or we can take. */
    record Broken(String reason) implements ProbeAnswer {}
}
