package dev.penstock.kit.ledger;

/** Takes what the other side of a stream says, on the context that opened the client or the server. */
public interface LedgerReceiver<T> {
    /** In the order in which it was sent; none after the end. */
    void message(T message);

    /** Told once, whoever ended the stream, and also from within {@link LedgerStream#close} and {@link LedgerStream#send}. */
    void ended(String reason);
}
