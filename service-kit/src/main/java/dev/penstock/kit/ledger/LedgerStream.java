package dev.penstock.kit.ledger;

/** One side's end of a stream. Everything happens on the context that opened the client or the server. */
public interface LedgerStream<T> {
    /**
     * Sends, or ends the stream when too much waits to be sent: a message may not be left out.
     *
     * @return false when the stream has ended
     */
    boolean send(T message);

    boolean isOpen();

    /** Ends it after what was sent. */
    void close();
}
