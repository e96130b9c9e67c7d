package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import org.jspecify.annotations.Nullable;

/** One incarnation of a holder, as the registrations and its stream tell. */
final class Holder {
    final HolderId id;
    /** It registered before this owner's facts were read: until it reports it may hold slots of an older epoch. */
    final boolean presumed;

    boolean left;
    boolean dead;

    /** Whose SYNC was welcome, while it is open. */
    @Nullable
    Follower follower;

    /** Since when it has had no stream. */
    long silentSinceNanos;

    /** As last reported, by index. */
    int[] used = {};

    int waiters;

    Holder(HolderId id, boolean presumed, long nowNanos) {
        this.id = id;
        this.presumed = presumed;
        this.silentSinceNanos = nowNanos;
    }

    boolean over() {
        return left || dead;
    }
}
