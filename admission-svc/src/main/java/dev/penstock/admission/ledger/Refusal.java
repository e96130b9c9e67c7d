package dev.penstock.admission.ledger;

/** Why a stream is refused. */
public enum Refusal {
    /** This process does not own the pool, or not any more. */
    NOT_OWNER,
    /** The holder follows another claim. */
    OTHER_EPOCH,
    /** A newer stream of it has reported already. */
    OLD_SESSION,
    /** It is not registered, as far as the registrations read to their end tell. */
    UNKNOWN,
    /** It is known to be dead or to have left. */
    GONE,
    /** Registrations could not be read to their end: Kafka does not answer. */
    UNREAD,
    /** It holds slots of replicas that the roster, as far as it was read here, has never had. */
    UNKNOWN_REPLICA,
    /** It said what no holder says. */
    MALFORMED
}
