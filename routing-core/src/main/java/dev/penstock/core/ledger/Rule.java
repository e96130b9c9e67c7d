package dev.penstock.core.ledger;

/**
 * Rules without which more requests than the limit can be in flight, or a replica is called drained that is not. Each was found by
 * taking it out of the exhaustive exploration; production keeps all.
 */
public enum Rule {
    /** A process acts only on the claim of its own nonce, never on one of the process it replaced. */
    OWN_CLAIM,
    /** Registrations are kept by name and nonce, so that a successor's does not hide a predecessor that may still hold slots. */
    KEEP_EACH_INCARNATION,
    /** A holder reads the claims only after its registration was written and read back. */
    REGISTER_THEN_READ,
    /** An owner claims, and only then reads who is registered, before its first grant. */
    CLAIM_THEN_READ,
    /** An aborted request uses its slot until its engine closed the connection. */
    CLOSING_IS_USED,
    /** From the snapshot for a SYNC on, a holder takes nothing from a lower epoch or session. */
    NEWEST_SESSION_ONLY,
    /** Whatever a dead or deregistered incarnation had sent is discarded. */
    DEAD_SAY_NOTHING,
    /** An incarnation that has not reported to this epoch is presumed to hold all that nobody reported. */
    PRESUME_HELD,
    /**
     * Of a limit that was lowered, an owner presumes the highest there ever was to be out until all have reported: silent holders may
     * have theirs under that one.
     */
    PRESUME_HIGHEST_LIMIT,
    /** A holder deregisters only when it reads no grants any more and holds nothing. */
    LEAVE_EMPTY,
    /** Before the slots of a dead holder are watched for their end, their owner has found itself still the highest claimant. */
    THAW_AS_HIGHEST,
    /** And has seen its engine idle in answered scrapes that began after that. */
    THAW_WHEN_IDLE,
    /**
     * That a dead holder is settled is taken from owners of lower epochs only. One of a higher epoch may have settled what this owner
     * never knew of: the holder had gone over there and given back there what is still out here.
     */
    SETTLED_BY_EARLIER,
    /**
     * A deregistration is taken only of a holder that had last followed this owner's epoch or a lower one. What one that had gone over
     * to a higher one held here, it gave back there.
     */
    LEFT_HERE_OR_EARLIER,
    /** An owner grants no slot of a replica that is draining. */
    DRAINING_GETS_NONE,
    /** All slots are home only if the claims and the registrations, read after they came home, say so too. */
    DRAINED_WHEN_READ,
    /** A killed process sends nothing that it had not sent. */
    NOTHING_SENT_BY_THE_DEAD
}
