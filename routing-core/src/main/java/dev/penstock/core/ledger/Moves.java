package dev.penstock.core.ledger;

/** What a {@link Distribution} decides, to be sent in this order. */
public interface Moves {
    /** The owner's book counts it as out already. */
    void grant(HolderId to, int replica, int slots);

    /** @param target slots that it may keep, {@link SlotCell#MOST} for all */
    void recall(HolderId from, int replica, int target);
}
