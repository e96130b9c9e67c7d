package dev.penstock.core.pick;

import dev.penstock.core.view.PoolLoad;

/**
 * How much busier than the best other a replica may be and still be picked for its warmth, in thousandths of a request. It is
 * a part of the pool's mean load: a prefill saved is worth a place in the queue, and a hot prefix gets another owner before it
 * melts its first.
 *
 * <pre>
 *   prefix    hit share x max(2, 0.25 (mean + 1))
 *   session   max(3, 0.25 (mean + 1)); half of it at the second place of a session that nobody has pinned
 * </pre>
 */
final class Credit {
    private static final int LEAST_PREFIX_MILLI = 2_000;
    private static final int LEAST_SESSION_MILLI = 3_000;
    private static final int PART_OF_MEAN = 4;
    private static final int REQUEST_MILLI = 1_000;

    private Credit() {}

    /** For a prompt that is there as a whole. */
    static int prefixMilli(PoolLoad pool) {
        return Math.max(LEAST_PREFIX_MILLI, partOfMean(pool));
    }

    static int sessionMilli(PoolLoad pool) {
        return Math.max(LEAST_SESSION_MILLI, partOfMean(pool));
    }

    private static int partOfMean(PoolLoad pool) {
        return (pool.meanOwnMilli() + pool.peersFairMilli() + REQUEST_MILLI) / PART_OF_MEAN;
    }
}
