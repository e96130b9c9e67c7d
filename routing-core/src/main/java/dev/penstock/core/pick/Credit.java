package dev.penstock.core.pick;

import dev.penstock.core.view.PoolLoad;

/**
 * How much busier than the best other a replica may be and still be picked for its warmth, in thousandths of a request. It is
 * a part of the pool's mean load: a prefill saved is worth a place in the queue, and a hot prefix gets another owner before it
 * melts its first.
 *
 * <pre>
 *   prefix    hit share x max(2, 0.25 (mean + 1))
 *   session   max(16, 0.5 (mean + 1)) where it is pinned: so many turns of one session at once find each other
 *             max(1, 0.05 (mean + 1)) at its first place on the ring when nobody has pinned it, half of it at its second
 * </pre>
 *
 * A session that begins has nothing to lose: it goes where there is room, and to its own place among equals. That leaves room
 * for those that are pinned: with as much credit for a place as for a pin, {@code sim sessions} moves five times as many
 * sessions for load.
 */
final class Credit {
    private static final int LEAST_PREFIX_MILLI = 2_000;
    private static final int LEAST_SESSION_MILLI = 16_000;
    private static final int LEAST_PLACE_MILLI = 1_000;
    private static final int PREFIX_PART_OF_MEAN = 4;
    private static final int SESSION_PART_OF_MEAN = 2;
    private static final int PLACE_PART_OF_MEAN = 20;
    private static final int REQUEST_MILLI = 1_000;

    private Credit() {}

    /** For a prompt that is there as a whole. */
    static int prefixMilli(PoolLoad pool) {
        return Math.max(LEAST_PREFIX_MILLI, meanMilli(pool) / PREFIX_PART_OF_MEAN);
    }

    static int sessionMilli(PoolLoad pool) {
        return Math.max(LEAST_SESSION_MILLI, meanMilli(pool) / SESSION_PART_OF_MEAN);
    }

    /** At the first place on the ring of a session that nobody has pinned. */
    static int placeMilli(PoolLoad pool) {
        return Math.max(LEAST_PLACE_MILLI, meanMilli(pool) / PLACE_PART_OF_MEAN);
    }

    private static int meanMilli(PoolLoad pool) {
        return pool.meanOwnMilli() + pool.peersFairMilli() + REQUEST_MILLI;
    }
}
