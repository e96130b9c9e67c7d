package dev.penstock.kit.bus;

/** A wait that doubles up to a limit. One thread. */
final class Backoff {
    private static final long FIRST_MILLIS = 100;
    private static final long LAST_MILLIS = 2_000;

    private long millis = FIRST_MILLIS;

    long nextMillis() {
        long next = millis;
        millis = Math.min(millis * 2, LAST_MILLIS);
        return next;
    }

    void reset() {
        millis = FIRST_MILLIS;
    }
}
