package dev.penstock.core.rate;

import dev.penstock.core.ledger.HolderBook;

/**
 * A model's rate at one holder: shares are slots of a pseudo-replica in the pool's book, and the bucket follows what the book says
 * is held. Lost on the way are a share's fill for good, the share itself until the next SYNC. One thread; the bucket is
 * everybody's.
 */
public final class ShareHolder {
    private final HolderBook book;
    private final int replica;
    private final ShareBucket bucket;

    /** @param replica pseudo-replica of the model, with {@link RateLimit#SHARES} slots */
    public ShareHolder(HolderBook book, int replica, RateLimit limit, long nowNanos) {
        this.book = book;
        this.replica = replica;
        bucket = new ShareBucket(limit, nowNanos);
    }

    public ShareBucket bucket() {
        return bucket;
    }

    /** Returns false when it came by a stream that is void. */
    public boolean granted(long ofEpoch, long ofSession, SharesMoved moved, long nowNanos) {
        if (!book.granted(ofEpoch, ofSession, replica, moved.shares())) return false;
        bucket.add(moved.shares(), moved.fillMicros(), nowNanos);
        return true;
    }

    /** Returns what to RETURN at once: all above the target. */
    public SharesMoved recalled(long ofEpoch, long ofSession, int target, long nowNanos) {
        int shares = book.recalled(ofEpoch, ofSession, replica, target);
        return shares == 0 ? SharesMoved.NONE : new SharesMoved(shares, bucket.remove(shares, nowNanos));
    }

    /** Likewise all there is, before the holder leaves. */
    public SharesMoved leaving(long nowNanos) {
        int shares = book.giveBack(replica, RateLimit.SHARES);
        return shares == 0 ? SharesMoved.NONE : new SharesMoved(shares, bucket.remove(shares, nowNanos));
    }
}
