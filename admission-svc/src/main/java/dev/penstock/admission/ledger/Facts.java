package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import java.util.SortedSet;
import java.util.function.Consumer;

/** The topics of registrations and claims, as a {@link PoolLedger} needs them. */
public interface Facts {
    /** What a reading of both topics to their ends told. */
    enum Standing {
        /** The ledger's claim is still the highest. */
        HIGHEST,
        DISPLACED,
        /** Kafka did not answer. */
        UNREAD
    }

    /** Reads both to where they end at this moment, tells the ledger what is new, then this. */
    void readToEnd(Consumer<Standing> then);

    /**
     * Writes that the engines are known to have stopped what a dead holder had sent there; again and again until it is stored.
     *
     * @param numbers all that are settled in this pool, those by earlier owners too: the record replaces the one before
     */
    void settled(HolderId dead, SortedSet<Integer> numbers);
}
