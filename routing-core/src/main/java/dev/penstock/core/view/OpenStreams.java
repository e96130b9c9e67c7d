package dev.penstock.core.view;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Streams that this router has open at one replica, and when the replica was last heard from. Written by every event loop,
 * read by the view's writer. A chunk costs one ordered store.
 */
public final class OpenStreams {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong promptTokens = new AtomicLong();
    private final AtomicLong lastByteNanos = new AtomicLong();
    private final AtomicLong heardNanos = new AtomicLong(Long.MIN_VALUE / 2);

    /** A stream was sent; {@link #closed} follows once, with the same tokens. */
    public void opened(long tokens, long nowNanos) {
        promptTokens.addAndGet(tokens);
        if (count.getAndIncrement() == 0) lastByteNanos.setRelease(nowNanos);
    }

    /** Bytes came, on whatever connection. */
    public void heardFrom(long nowNanos) {
        lastByteNanos.setRelease(nowNanos);
        heardNanos.setRelease(nowNanos);
    }

    /** Silence counts from here on. */
    void listenAnew(long nowNanos) {
        lastByteNanos.setRelease(nowNanos);
    }

    /** True when bytes came after the moment given. */
    public boolean heardSince(long nanos) {
        return heardNanos.getAcquire() - nanos > 0;
    }

    /** The first byte of a stream came: its prompt is no longer outstanding. */
    public void promptDone(long tokens) {
        promptTokens.addAndGet(-tokens);
    }

    public void closed() {
        count.decrementAndGet();
    }

    public int count() {
        return count.get();
    }

    public long promptTokens() {
        return promptTokens.get();
    }

    long lastByteNanos() {
        return lastByteNanos.getAcquire();
    }
}
