package dev.penstock.ledgermodel.slots;

import dev.penstock.fleetsim.EventQueue;
import java.util.SplittableRandom;

/** One direction of a stream: what is sent arrives, in order, 0.5 to 1.5 ms later. */
final class Wire {
    private static final long LEAST_NANOS = 500_000;
    private static final long SPREAD_NANOS = 1_000_000;

    private final EventQueue time;
    private final SplittableRandom random;
    private final Tally tally;
    private long lastNanos;

    Wire(EventQueue time, SplittableRandom random, Tally tally) {
        this.time = time;
        this.random = random;
        this.tally = tally;
    }

    void send(Runnable arrival) {
        tally.sent(time.nowNanos());
        lastNanos = Math.max(lastNanos, time.nowNanos() + LEAST_NANOS + random.nextLong(SPREAD_NANOS));
        time.at(lastNanos, arrival);
    }
}
