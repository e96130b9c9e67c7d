package dev.penstock.core.health;

import dev.penstock.model.DurationSketch;

/** Times to first token of the last 10 to 20 s. One writer. */
final class RecentTtft {
    private static final long WINDOW_NANOS = HealthRules.seconds(10);

    private DurationSketch now = new DurationSketch();
    private DurationSketch before = new DurationSketch();
    private long turnedNanos;

    RecentTtft(long nowNanos) {
        turnedNanos = nowNanos;
    }

    void add(DurationSketch seen) {
        if (seen.total() > 0) now.addAll(seen);
    }

    void turn(long nowNanos) {
        if (nowNanos - turnedNanos < WINDOW_NANOS) return;
        DurationSketch oldest = before;
        before = now;
        now = oldest;
        now.clear();
        turnedNanos = nowNanos;
    }

    /** 0 while nothing is known. */
    long medianNanos() {
        if (now.total() + before.total() == 0) return 0;
        DurationSketch both = new DurationSketch();
        both.addAll(now);
        both.addAll(before);
        return both.quantileMicros(0.5) * 1000;
    }
}
