package dev.penstock.kit.bus;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Records that may wait, in the order of their acceptance: they go with the next one that may not, or when the first of them has
 * waited for long enough. One thread.
 */
final class Held<T> {
    private final long mostNanos;
    private final ArrayDeque<T> records = new ArrayDeque<>();
    private boolean urgent;
    private long firstNanos;

    /** @param mostNanos for which the first of them waits */
    Held(long mostNanos) {
        this.mostNanos = mostNanos;
    }

    void add(T record, boolean mayWait, long acceptedNanos) {
        if (records.isEmpty()) firstNanos = acceptedNanos;
        records.add(record);
        urgent |= !mayWait;
    }

    /** Until they go if nothing is added; 0 or less = now. The most, when there is none. */
    long waitNanos(long nowNanos) {
        if (records.isEmpty()) return mostNanos;
        return urgent ? 0 : firstNanos + mostNanos - nowNanos;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    @Nullable
    T poll() {
        T next = records.poll();
        if (records.isEmpty()) urgent = false;
        return next;
    }
}
