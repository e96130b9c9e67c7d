package dev.penstock.kit.ledger;

import dev.penstock.model.Holder;
import dev.penstock.model.PoolId;

/** What a holder tells the owner of a pool. Replicas are roster numbers; the arrays of one message have the same length. */
public sealed interface FromHolder {
    /**
     * The first message of each stream: all that it holds. Its arrays are the receiver's.
     *
     * @param epoch of the claim that it follows
     * @param session counts up by each stream of this incarnation
     * @param held slots, used ones too
     * @param waiters requests that wait without a slot
     */
    record Sync(
            Holder holder, PoolId pool, long epoch, long session, int[] numbers, int[] held, int[] used, int waiters)
            implements FromHolder {
        public Sync {
            Columns.sameLength(numbers, held);
            Columns.sameLength(numbers, used);
        }
    }

    /** It has these slots no more. */
    record Returned(int[] numbers, int[] slots) implements FromHolder {
        public Returned {
            Columns.sameLength(numbers, slots);
        }
    }

    /**
     * How it stands, each 100 ms.
     *
     * @param arrivals since the report before
     */
    record Report(int[] numbers, int[] used, int waiters, int arrivals) implements FromHolder {
        public Report {
            Columns.sameLength(numbers, used);
        }
    }

    /** More requests wait without a slot than it has said. */
    record Ask(int waiters) implements FromHolder {}
}
