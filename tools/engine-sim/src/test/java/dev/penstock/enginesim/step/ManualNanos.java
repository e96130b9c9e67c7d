package dev.penstock.enginesim.step;

import java.util.function.LongSupplier;

/** A clock that stands still until it is moved. */
final class ManualNanos implements LongSupplier {
    private long now = 1_000_000_000L;

    @Override
    public long getAsLong() {
        return now;
    }

    void plusNanos(long nanos) {
        now += nanos;
    }

    void plusMillis(double millis) {
        now += Math.round(millis * 1e6);
    }
}
