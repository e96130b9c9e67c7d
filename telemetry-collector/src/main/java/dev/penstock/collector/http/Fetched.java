package dev.penstock.collector.http;

/** What came of a GET. */
public sealed interface Fetched {
    /** A whole answer. */
    @SuppressWarnings("ArrayRecordComponent") // read once, compared nowhere
    record Answer(int status, byte[] body) implements Fetched {}

    /** No answer, or not a whole one. */
    record Broken(String reason) implements Fetched {}
}
