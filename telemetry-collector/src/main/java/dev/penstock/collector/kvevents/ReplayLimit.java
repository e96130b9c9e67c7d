package dev.penstock.collector.kvevents;

import java.time.Duration;

/**
 * How long messages are told again before the rest is given up: 2 s without one, and 60 s in all. Of an engine alone 10,000
 * messages take less than 2 s; of a hundred at once, as after a takeover, they do not, and giving up would forget what came.
 *
 * <p>Without an answer it is asked again on a new connection after 300 ms, then after twice as long each time: with JeroMQ
 * 0.6.0 a message that follows at once on a handshake now and then stays unread until another connection comes; but an engine
 * that is slow tells everything again to each one that asks.
 */
final class ReplayLimit {
    static final long STILL_NANOS = Duration.ofSeconds(2).toNanos();
    static final long LONGEST_NANOS = Duration.ofSeconds(60).toNanos();

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(300).toNanos();

    private long begunNanos;
    private long movedNanos;
    private long heardNanos;
    private long pauseNanos;

    void begin(long nowNanos) {
        begunNanos = nowNanos;
        movedNanos = nowNanos;
        heardNanos = nowNanos;
        pauseNanos = FIRST_PAUSE_NANOS;
    }

    /** Anything came. */
    void heard(long nowNanos) {
        heardNanos = nowNanos;
    }

    boolean askAgain(long nowNanos) {
        return nowNanos - heardNanos > pauseNanos;
    }

    void askedAgain(long nowNanos) {
        heardNanos = nowNanos;
        pauseNanos *= 2;
    }

    /** One that was awaited came. */
    void moved(long nowNanos) {
        movedNanos = nowNanos;
    }

    boolean over(long nowNanos) {
        return nowNanos - movedNanos > STILL_NANOS || nowNanos - begunNanos > LONGEST_NANOS;
    }
}
