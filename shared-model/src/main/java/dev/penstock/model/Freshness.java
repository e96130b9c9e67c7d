package dev.penstock.model;

/**
 * How far a signal can be trusted. By a replica's present sampling interval I: FRESH up to max(150 ms, 3 I), STALE up to
 * max(2 s, 4 I), then MISSING; never seen is MISSING. Unknown is not idle.
 */
public enum Freshness {
    FRESH,
    STALE,
    MISSING;

    private static final long FRESH_FLOOR_NANOS = 150_000_000;
    private static final long STALE_FLOOR_NANOS = 2_000_000_000;

    /** Judges an age against the sampling interval, both in nanoseconds. */
    public static Freshness of(long ageNanos, long intervalNanos) {
        if (ageNanos <= Math.max(FRESH_FLOOR_NANOS, 3 * intervalNanos)) return FRESH;
        if (ageNanos <= Math.max(STALE_FLOOR_NANOS, 4 * intervalNanos)) return STALE;
        return MISSING;
    }
}
