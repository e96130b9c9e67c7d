package dev.penstock.core.rate;

import dev.penstock.core.ledger.HolderId;

/** A message of the owner's about a model's shares. */
public sealed interface ShareMove {
    HolderId to();

    record Grant(HolderId to, SharesMoved moved) implements ShareMove {}

    /** Sticky, until the next one or the next SYNC. */
    record Recall(HolderId to, int target) implements ShareMove {}
}
