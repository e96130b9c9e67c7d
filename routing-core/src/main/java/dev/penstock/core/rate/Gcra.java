package dev.penstock.core.rate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The generic cell rate algorithm (ITU-T I.371): a virtual schedule in one word. A request conforms when the theoretical
 * arrival time TAT is at most {@code burst} ahead of now; it then moves TAT on by one interval 1/rate. Unlike a fixed
 * window it admits no double burst at an edge. Any thread may ask.
 *
 * <pre>
 *   TAT' = max(TAT, now) + 1/rate      conforms iff TAT - now <= burst
 * </pre>
 */
public final class Gcra {
    /** Requests may come this early: half a second's worth, so that a client's jitter is not refused. */
    private static final long BURST_NANOS = 500_000_000L;

    private final AtomicLong theoreticalNanos;
    private volatile long intervalNanos;

    /** @param milliRps thousandths of a request per second; 0 admits nothing */
    public Gcra(long milliRps, long nowNanos) {
        this.theoreticalNanos = new AtomicLong(nowNanos);
        this.intervalNanos = interval(milliRps);
    }

    /** Another rate from now on; what was admitted before still counts. */
    public void rate(long milliRps) {
        intervalNanos = interval(milliRps);
    }

    /** True when the request may pass. */
    public boolean tryAcquire(long nowNanos) {
        long interval = intervalNanos;
        if (interval == Long.MAX_VALUE) return false;
        while (true) {
            long theoretical = theoreticalNanos.get();
            if (theoretical - nowNanos > BURST_NANOS) return false;
            long from = theoretical - nowNanos > 0 ? theoretical : nowNanos;
            if (theoreticalNanos.compareAndSet(theoretical, from + interval)) return true;
        }
    }

    /** How long until a request would pass, if nobody else asks; {@code Long.MAX_VALUE} at rate 0. */
    public long waitNanos(long nowNanos) {
        if (intervalNanos == Long.MAX_VALUE) return Long.MAX_VALUE;
        return Math.max(0, theoreticalNanos.get() - nowNanos - BURST_NANOS);
    }

    private static long interval(long milliRps) {
        return milliRps <= 0 ? Long.MAX_VALUE : 1_000_000_000_000L / milliRps;
    }
}
