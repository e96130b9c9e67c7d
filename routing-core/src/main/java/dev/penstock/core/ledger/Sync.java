package dev.penstock.core.ledger;

/**
 * The first message of every stream from a holder to an owner: all that it holds.
 *
 * @param epoch of the claim that the holder follows
 * @param session counts up by each stream of this incarnation
 * @param held slots by replica, used ones too; its array is the receiver's
 */
public record Sync(HolderId holder, long epoch, long session, int[] held) {}
