package dev.penstock.core.rate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The local side of a share: a {@link Gcra} whose rate, burst and fill come and go with shares. Any thread asks; shares and the
 * limit are changed by the ledger's one thread.
 *
 * <pre>
 *   conforms iff TAT - now <= (burst - 1) x interval      TAT' = max(TAT, now) + interval
 *   fill = burst - max(0, TAT - now) / interval
 * </pre>
 *
 * Shares that go take their part of the fill along, so that the fills of all holders never add up to more than the burst of the
 * whole limit, however often a share goes back and forth. Whatever is rounded is rounded against the holder.
 */
public final class ShareBucket {
    /** The schedule's fill has been taken, and its successor is about to be there. */
    private static final long TAKEN = Long.MAX_VALUE;

    /** Then the ledger's thread has lost its core between two writes: refusing one request is cheaper than to wait. */
    private static final int MOST_LOOKS = 64;

    private RateLimit limit;
    private int shares;
    private volatile Schedule schedule;

    /** One rate and burst; its word is the theoretical arrival time. */
    private static final class Schedule {
        final long burstMicros;
        final long intervalNanos;
        /** Below 0 when the burst is less than one request: nothing conforms. */
        final long toleranceNanos;

        final AtomicLong theoreticalNanos;

        Schedule(RateLimit limit, int shares, long fillMicros, long nowNanos) {
            burstMicros = limit.burstMicros(shares);
            intervalNanos = limit.intervalNanos(shares);
            boolean closed = intervalNanos == Long.MAX_VALUE || burstMicros < RateLimit.ONE_REQUEST_MICROS;
            toleranceNanos = closed ? -1 : (long) nanos(burstMicros - RateLimit.ONE_REQUEST_MICROS);
            long lacking = Math.max(0, burstMicros - fillMicros);
            long ahead = intervalNanos == Long.MAX_VALUE ? 0 : (long) Math.ceil(nanos(lacking));
            theoreticalNanos = new AtomicLong(nowNanos + ahead);
        }

        private double nanos(long micros) {
            return (double) micros * intervalNanos / RateLimit.ONE_REQUEST_MICROS;
        }

        /** At most the burst. */
        long fillMicros(long theoretical, long nowNanos) {
            if (intervalNanos == Long.MAX_VALUE) return 0;
            double ahead = Math.max(0, theoretical - nowNanos);
            long lacking = (long) Math.ceil(ahead / intervalNanos * RateLimit.ONE_REQUEST_MICROS);
            return Math.max(0, burstMicros - lacking);
        }
    }

    /** Holds nothing yet. */
    public ShareBucket(RateLimit limit, long nowNanos) {
        this.limit = limit;
        schedule = new Schedule(limit, 0, 0, nowNanos);
    }

    /** True when the request may pass. */
    public boolean tryAcquire(long nowNanos) {
        for (int look = 0; look < MOST_LOOKS; look++) {
            Schedule now = schedule;
            if (now.toleranceNanos < 0) return false;
            long theoretical = now.theoreticalNanos.get();
            if (theoretical == TAKEN) {
                Thread.onSpinWait();
                continue;
            }
            if (theoretical - nowNanos > now.toleranceNanos) return false;
            long from = theoretical - nowNanos > 0 ? theoretical : nowNanos;
            if (now.theoreticalNanos.compareAndSet(theoretical, from + now.intervalNanos)) return true;
        }
        return false;
    }

    /** How long until a request would pass, if nobody else asks; {@code Long.MAX_VALUE} while its shares are less than a lot. */
    public long waitNanos(long nowNanos) {
        Schedule now = schedule;
        long theoretical = now.theoreticalNanos.get();
        if (now.toleranceNanos < 0) return Long.MAX_VALUE;
        if (theoretical == TAKEN) return 0;
        return Math.max(0, theoretical - nowNanos - now.toleranceNanos);
    }

    public int shares() {
        return shares;
    }

    public long fillMicros(long nowNanos) {
        Schedule now = schedule;
        return now.fillMicros(now.theoreticalNanos.get(), nowNanos);
    }

    /** Another limit from now on; of the fill stays what its burst holds. */
    public void limit(RateLimit next, long nowNanos) {
        if (next.equals(limit)) return;
        long fill = take(nowNanos);
        limit = next;
        put(fill, nowNanos);
    }

    void add(int more, long moreMicros, long nowNanos) {
        long fill = take(nowNanos);
        shares += more;
        put(fill + moreMicros, nowNanos);
    }

    /** Returns the micros that go along. */
    long remove(int fewer, long nowNanos) {
        if (fewer < 1 || fewer > shares) throw new IllegalArgumentException(fewer + " of " + shares + " shares");
        long fill = take(nowNanos);
        long along = fill * fewer / shares;
        shares -= fewer;
        put(fill - along, nowNanos);
        return along;
    }

    private long take(long nowNanos) {
        return schedule.fillMicros(schedule.theoreticalNanos.getAndSet(TAKEN), nowNanos);
    }

    private void put(long fillMicros, long nowNanos) {
        schedule = new Schedule(limit, shares, fillMicros, nowNanos);
    }
}
