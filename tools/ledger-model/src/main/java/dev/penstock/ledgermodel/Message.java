package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.Sync;

/** What is on its way on a stream. */
sealed interface Message {
    record Hello(Sync sync) implements Message {}

    record Returned(int replica, int slots) implements Message {}

    record Granted(int replica, int slots) implements Message {}

    record Recalled(int replica, int target) implements Message {}
}
