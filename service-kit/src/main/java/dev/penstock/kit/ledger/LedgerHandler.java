package dev.penstock.kit.ledger;

/** The owner's side: who takes what a new stream brings. */
@FunctionalInterface
public interface LedgerHandler {
    /** A holder, which is not known before its Sync, opened a stream. */
    LedgerReceiver<FromHolder> opened(LedgerStream<FromOwner> stream);
}
