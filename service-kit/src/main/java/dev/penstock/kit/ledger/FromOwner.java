package dev.penstock.kit.ledger;

/** What the owner of a pool tells a holder. Replicas are roster numbers; the arrays of one message have the same length. */
public sealed interface FromOwner {
    /** The Sync was taken. */
    record Welcome() implements FromOwner {}

    /** It was not, and the stream ends. */
    record Refused(String reason) implements FromOwner {}

    record Granted(int[] numbers, int[] slots) implements FromOwner {
        public Granted {
            Columns.sameLength(numbers, slots);
        }
    }

    /** It is to hold no more than this, from here on. */
    record Recalled(int[] numbers, int[] targets) implements FromOwner {
        public Recalled {
            Columns.sameLength(numbers, targets);
        }
    }
}
