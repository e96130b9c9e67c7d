package dev.penstock.core.rate;

/**
 * A model's limit, in thousandths of a request per second, and what shares of it are worth. Fills and capacities are counted in
 * micros, millionths of a request.
 *
 * <pre>
 *   B = limit x 0.1 s      C = max(1, B)
 *   a holder of s of 1,000 shares: rate limit x s / 1,000, burst C x s / 1,000
 *   lot = ceil(1,000 / C): the fewest shares whose burst is a whole request
 * </pre>
 */
public record RateLimit(long milliRps) {
    /** Shares of every limit. */
    public static final int SHARES = 1_000;

    static final long ONE_REQUEST_MICROS = 1_000_000L;

    /** 0.1 s of the limit: milliRps / 1,000 x 0.1 s x 1,000,000 micros. */
    private static final long BURST_MICROS_PER_MILLI_RPS = 100;

    /** Ten million requests a second. */
    private static final long MOST_MILLI_RPS = 10_000_000_000L;

    public RateLimit {
        if (milliRps < 0 || milliRps > MOST_MILLI_RPS) throw new IllegalArgumentException("limit: " + milliRps);
    }

    /** Of all shares together. */
    public long burstMicros() {
        return Math.max(ONE_REQUEST_MICROS, milliRps * BURST_MICROS_PER_MILLI_RPS);
    }

    public long burstMicros(int shares) {
        return burstMicros() * shares / SHARES;
    }

    public int lot() {
        return (int) Math.ceilDiv(SHARES * ONE_REQUEST_MICROS, burstMicros());
    }

    /** From one request to the next; {@code Long.MAX_VALUE} when there is none. */
    public long intervalNanos(int shares) {
        return milliRps * shares == 0 ? Long.MAX_VALUE : Math.ceilDiv(1_000_000_000_000_000L, milliRps * shares);
    }
}
