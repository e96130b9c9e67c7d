package dev.penstock.admission.ledger;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A replica as its pool's ledger knows it. Slots are its number's, and stay over restarts and changes of the endpoint. */
final class Seat {
    final int number;
    boolean present;
    /** Of the roster and the configuration; in the book it is 0 while the replica is gone or its endpoint still another's. */
    int limit;

    boolean draining;

    /** The present one, or the last that it had. */
    @Nullable
    String endpoint;

    /** Changes with each life of the engine. */
    @Nullable
    String uid;

    /** When this life became ready, or some time before that. */
    long readySinceNanos;

    /** Where requests may still run, because slots were out while it was there. */
    final Set<String> formerEndpoints = new HashSet<>();

    Seat(int number) {
        this.number = number;
    }
}
