package dev.penstock.core.retry;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Retries are a share of requests, so that a fleet that fails is not asked for several times its load on top. Within the
 * window of ten whole seconds that ends with the present one
 *
 * <pre>
 *   retries <= max(1, floor(share x requests))
 * </pre>
 *
 * Requests are counted in a ring of ten words, {@code second << 24 | count}: a word of an earlier second is begun anew by the
 * first request that finds it. Retries are rare: an immutable ring, swapped as a whole, is the one place where two event
 * loops meet, and so none is granted twice. Time never goes back here: while a clock is behind the latest second that was
 * seen, everything counts for that second. Any thread may ask.
 */
public final class RetryBudget {
    private static final AtomicReferenceFieldUpdater<RetryBudget, Granted> GRANTED =
            AtomicReferenceFieldUpdater.newUpdater(RetryBudget.class, Granted.class, "granted");

    /** The window, in seconds. */
    static final int SECONDS = 10;

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int COUNT_BITS = 24;
    private static final long MOST_COUNT = (1L << COUNT_BITS) - 1;
    /** Of a second long before any, without a request. */
    private static final long UNUSED = Long.MIN_VALUE;
    /** Shares are kept in billionths: 29 % of 100 requests are 29, and not what is left of 28.999... */
    private static final long WHOLE = 1_000_000_000L;

    private final AtomicLong latestSecond = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLongArray requests = new AtomicLongArray(SECONDS);
    private volatile Granted granted = Granted.NONE;
    private volatile long shareBillionths;

    /** @param share of requests, 0 to 1 */
    public RetryBudget(double share) {
        for (int i = 0; i < SECONDS; i++) requests.set(i, UNUSED);
        share(share);
    }

    /** Another share from now on; what was asked for and granted before still counts. */
    public void share(double share) {
        if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("share: " + share + ", expected 0 to 1");
        shareBillionths = Math.round(share * WHOLE);
    }

    /** A client's request, counted once however often it is tried. */
    public void request(long nowNanos) {
        while (true) {
            long second = second(nowNanos);
            int at = place(second);
            long before = requests.get(at);
            // a word of a later second: this thread was held up between the two reads
            long after = before >> COUNT_BITS >= second ? oneMore(before) : (second << COUNT_BITS) | 1;
            if (requests.compareAndSet(at, before, after)) return;
        }
    }

    /** True when a retry may be made: it is spent. */
    public boolean tryRetry(long nowNanos) {
        while (true) {
            Granted before = granted;
            long second = second(nowNanos);
            Granted now = before.at(second);
            if (now.total() >= Math.max(1, share(second))) return false;
            if (GRANTED.compareAndSet(this, before, now.oneMore())) return true;
        }
    }

    /** How many retries the window's requests are good for. */
    private long share(long second) {
        long sum = 0;
        for (int i = 0; i < SECONDS; i++) {
            long word = requests.get(place(second - i));
            if (word >> COUNT_BITS == second - i) sum += word & MOST_COUNT;
        }
        return sum * shareBillionths / WHOLE;
    }

    private long second(long nowNanos) {
        long now = Math.floorDiv(nowNanos, SECOND_NANOS);
        while (true) {
            long latest = latestSecond.get();
            if (now <= latest || latestSecond.compareAndSet(latest, now)) return Math.max(now, latest);
        }
    }

    private static int place(long second) {
        return Math.floorMod(second, SECONDS);
    }

    /** A count that is full, which takes 16 million requests in a second, stays. */
    private static long oneMore(long word) {
        return (word & MOST_COUNT) == MOST_COUNT ? word : word + 1;
    }

    /** Retries of the ten seconds up to the latest; never changed. */
    private static final class Granted {
        static final Granted NONE = new Granted(Long.MIN_VALUE, new int[SECONDS]);

        private final long second;
        private final int[] counts;

        Granted(long second, int[] counts) {
            this.second = second;
            this.counts = counts;
        }

        /** As the window is at that second, which is no earlier one: what has left it is forgotten. */
        Granted at(long later) {
            if (later == second) return this;
            if (second == Long.MIN_VALUE || later - second >= SECONDS) return new Granted(later, new int[SECONDS]);
            int[] kept = counts.clone();
            for (long each = second + 1; each <= later; each++) kept[place(each)] = 0;
            return new Granted(later, kept);
        }

        Granted oneMore() {
            int[] more = counts.clone();
            more[place(second)]++;
            return new Granted(second, more);
        }

        long total() {
            long sum = 0;
            for (int count : counts) sum += count;
            return sum;
        }
    }
}
