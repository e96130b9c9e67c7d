package dev.penstock.collector.kvevents;

import java.time.Duration;

/**
 * How long messages are told again before the rest is given up: 2 s without one, and 60 s in all. Of an engine alone 10,000
 * messages take less than 2 s; of a hundred at once, as after a takeover, they do not, and giving up would forget what came.
 */
final class ReplayLimit {
    static final long STILL_NANOS = Duration.ofSeconds(2).toNanos();
    static final long LONGEST_NANOS = Duration.ofSeconds(60).toNanos();

    private long begunNanos;
    private long movedNanos;

    void begin(long nowNanos) {
        begunNanos = nowNanos;
        movedNanos = nowNanos;
    }

    /** One that was awaited came. */
    void moved(long nowNanos) {
        movedNanos = nowNanos;
    }

    boolean over(long nowNanos) {
        return nowNanos - movedNanos > STILL_NANOS || nowNanos - begunNanos > LONGEST_NANOS;
    }
}
