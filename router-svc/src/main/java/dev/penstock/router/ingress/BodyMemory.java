package dev.penstock.router.ingress;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that request bodies take together, over all event loops of the router. */
public final class BodyMemory {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public BodyMemory(long limit) {
        this.limit = limit;
    }

    private boolean tryReserve(long bytes) {
        if (used.addAndGet(bytes) <= limit) return true;
        used.addAndGet(-bytes);
        return false;
    }

    /** Whether a body of that size would find room now. */
    boolean hasRoomFor(long bytes) {
        return used.get() + bytes <= limit;
    }

    public long used() {
        return used.get();
    }

    Share share() {
        return new Share();
    }

    /** What one body has of it. One event loop's. */
    final class Share {
        private long reserved;

        boolean tryReserve(long bytes) {
            if (bytes > 0 && !BodyMemory.this.tryReserve(bytes)) return false;
            reserved += bytes;
            return true;
        }

        /** Makes it at least so much. */
        boolean tryReserveUpTo(long bytes) {
            return bytes <= reserved || tryReserve(bytes - reserved);
        }

        /** Gives everything back; more often than once does no harm. */
        void release() {
            used.addAndGet(-reserved);
            reserved = 0;
        }
    }
}
