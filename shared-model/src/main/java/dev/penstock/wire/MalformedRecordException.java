package dev.penstock.wire;

/** Bytes that are not the record they were taken for. The reader counts it and goes on. */
public final class MalformedRecordException extends Exception {
    public MalformedRecordException(String record, String problem) {
        super(record + ": " + problem);
    }

    public MalformedRecordException(String record, Throwable cause) {
        super(record + ": " + cause.getMessage(), cause);
    }
}
