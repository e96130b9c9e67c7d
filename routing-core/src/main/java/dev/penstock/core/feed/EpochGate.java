package dev.penstock.core.feed;

/**
 * Drops what a displaced owner of a single-writer role still sends: records of an epoch below the highest seen. Epochs are
 * offsets, so they start over when the claims topic is made anew; after 30 s without a word of the highest epoch, in which
 * its owner would have repeated itself many times, the next one is believed whatever its epoch. One writer.
 */
public final class EpochGate {
    static final long FORGOTTEN_NANOS = 30_000_000_000L;

    private long highest = Long.MIN_VALUE;
    private long heardNanos;

    public boolean admit(long epoch, long nowNanos) {
        if (epoch < highest && nowNanos - heardNanos <= FORGOTTEN_NANOS) return false;
        highest = epoch;
        heardNanos = nowNanos;
        return true;
    }
}
