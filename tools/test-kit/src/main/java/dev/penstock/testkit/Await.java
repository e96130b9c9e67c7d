package dev.penstock.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until something is so, with a deadline. It looks every 10 ms, and it is the only polling in the code base. A
 * condition that throws counts as not yet; what it threw last is the cause of the failure, so an AssertJ assertion may
 * stand in the condition.
 */
public final class Await {
    private static final long POLL_NANOS = 10_000_000L;

    private Await() {}

    public static void until(String description, Duration timeout, BooleanSupplier condition) {
        value(description, timeout, condition::getAsBoolean, seen -> seen);
    }

    /** Returns the first value of {@code source} that {@code wanted} accepts; a failure names the last one seen. */
    public static <T> T value(String description, Duration timeout, Supplier<T> source, Predicate<T> wanted) {
        long start = System.nanoTime();
        String seen = "nothing";
        Throwable thrown = null;
        do {
            try {
                T value = source.get();
                if (wanted.test(value)) return value;
                seen = String.valueOf(value);
                thrown = null;
            } catch (RuntimeException | AssertionError e) {
                seen = e.toString();
                thrown = e;
            }
            if (Thread.currentThread().isInterrupted()) throw failure("interrupted waiting", description, seen, thrown);
            LockSupport.parkNanos(POLL_NANOS);
        } while (System.nanoTime() - start < timeout.toNanos());
        throw failure("waited " + timeout.toMillis() + " ms", description, seen, thrown);
    }

    private static AssertionError failure(String how, String description, String seen, @Nullable Throwable thrown) {
        return new AssertionError(how + " for: " + description + "; last seen: " + seen, thrown);
    }
}
