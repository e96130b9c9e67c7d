package dev.penstock.model;

/** How one attempt at one replica ended, judged at the end of the stream. */
public enum Outcome {
    /** A value of a newer writer: counted nowhere. */
    UNKNOWN(false),
    OK(false),
    CLIENT_ERROR(false),
    CLIENT_ABORT(false),
    BACKPRESSURE(false),
    DEADLINE(false),
    REPLICA_ERROR(true),
    INCOMPLETE_STREAM(true),
    STALLED(true);

    private final boolean countsAgainstReplica;

    Outcome(boolean countsAgainstReplica) {
        this.countsAgainstReplica = countsAgainstReplica;
    }

    /** True for what a healthy replica would not have done: client mistakes and full queues are not sickness. */
    public boolean countsAgainstReplica() {
        return countsAgainstReplica;
    }
}
