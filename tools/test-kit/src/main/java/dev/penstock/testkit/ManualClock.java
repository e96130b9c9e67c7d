package dev.penstock.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A nanosecond clock that moves only when told to. It never starts at zero, because zero hides "never seen" bugs; near
 * {@link Long#MAX_VALUE} it shows comparisons written as {@code a < b} in place of {@code a - b < 0}. Any thread may read
 * and advance it.
 */
public final class ManualClock implements LongSupplier {
    private static final long START_NANOS = 7_000_000_000_123L;

    private final AtomicLong nanos;

    public ManualClock() {
        this(START_NANOS);
    }

    private ManualClock(long startNanos) {
        nanos = new AtomicLong(startNanos);
    }

    public static ManualClock startingAt(long startNanos) {
        return new ManualClock(startNanos);
    }

    /** A clock that wraps to negative values after {@code left}. */
    public static ManualClock overflowingIn(Duration left) {
        return new ManualClock(Long.MAX_VALUE - left.toNanos());
    }

    @Override
    public long getAsLong() {
        return nanos.get();
    }

    public ManualClock advance(Duration step) {
        return advanceNanos(step.toNanos());
    }

    public ManualClock advanceMillis(long millis) {
        return advanceNanos(Math.multiplyExact(millis, 1_000_000L));
    }

    public ManualClock advanceNanos(long step) {
        if (step < 0) throw new IllegalArgumentException("a clock step must be >= 0 ns, was " + step);
        nanos.addAndGet(step);
        return this;
    }
}
