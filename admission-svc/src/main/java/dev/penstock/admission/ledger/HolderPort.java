package dev.penstock.admission.ledger;

/** A stream to a holder, as a {@link PoolLedger} sees it: what is sent arrives in order, or the stream ends. */
public interface HolderPort {
    void welcome();

    /** The last message; the stream ends. */
    void refused(Refusal reason);

    /** @param numbers of replicas, in the roster's count */
    void granted(int[] numbers, int[] slots);

    /** @param targets slots that it may keep */
    void recalled(int[] numbers, int[] targets);

    /** The stream ends; what was sent before may still arrive. */
    void close();
}
