package dev.penstock.router.ingress;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that request bodies take together, over all event loops of the router. */
public final class BodyMemory {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public BodyMemory(long limit) {
        this.limit = limit;
    }

    public boolean tryReserve(long bytes) {
        if (used.addAndGet(bytes) <= limit) return true;
        used.addAndGet(-bytes);
        return false;
    }

    public void release(long bytes) {
        used.addAndGet(-bytes);
    }

    public long used() {
        return used.get();
    }
}
