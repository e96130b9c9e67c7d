package dev.penstock.admission.ledger;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A replica as its pool's ledger knows it. Slots are its number's, and stay over restarts. */
final class Seat {
    final int number;
    boolean present;
    /** Of the roster and the configuration; in the book it is 0 while the replica is gone, has moved or its endpoint is still another's. */
    int limit;

    /** The highest limit that it is known to have had. */
    int highestLimit;

    boolean draining;

    /** The present one, or the last that it had. */
    @Nullable
    String endpoint;

    /** Where requests may still run, because slots were out while it was there: none go out for the new one before all are home. */
    final Set<String> formerEndpoints = new HashSet<>();

    Seat(int number) {
        this.number = number;
    }
}
