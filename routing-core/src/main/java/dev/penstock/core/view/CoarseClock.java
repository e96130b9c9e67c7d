package dev.penstock.core.view;

/** The time of the last record or refresh: good enough to tell whether a verdict is still valid, and free to read. */
final class CoarseClock {
    private volatile long nanos;

    long nanos() {
        return nanos;
    }

    void set(long nowNanos) {
        nanos = nowNanos;
    }
}
