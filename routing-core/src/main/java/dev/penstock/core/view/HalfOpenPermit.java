package dev.penstock.core.view;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The one request that a router with a permit may send to a half-open replica. One that ended without telling anything may
 * be sent again after 5 s. Taken by any event loop, by one at a time.
 */
final class HalfOpenPermit {
    private static final long AGAIN_NANOS = 5_000_000_000L;

    private final AtomicLong usedKey = new AtomicLong();
    private final AtomicLong usedNanos = new AtomicLong();

    /** @param key of the verdict's permit, 0 = none for this router */
    boolean free(long key, long nowNanos) {
        return key != 0 && (usedKey.get() != key || nowNanos - usedNanos.get() > AGAIN_NANOS);
    }

    /** True when the caller has it. */
    boolean take(long key, long nowNanos) {
        long used = usedKey.get();
        long usedAt = usedNanos.get();
        if (used == key) return nowNanos - usedAt > AGAIN_NANOS && usedNanos.compareAndSet(usedAt, nowNanos);
        // The time first: whoever sees that the permit is used must not see when the one before it was.
        usedNanos.set(nowNanos);
        return usedKey.compareAndSet(used, key);
    }
}
