package dev.penstock.admission.ledger;

import io.vertx.core.Future;

/** Reads what limits come from - configuration, policies, roster - to where it ends at the call, and tells the ledgers. */
@FunctionalInterface
public interface LimitsReading {
    Future<?> toEnd();
}
