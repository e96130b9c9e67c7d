package dev.penstock.router.ingress;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Request ids {@code <router name>-<time-ordered id>}: the name tells which router decided. 48 bits of wall-clock
 * milliseconds, then a counter that starts over at no restart within the same millisecond.
 */
public final class RequestIds {
    private final String prefix;
    private final AtomicLong last = new AtomicLong();
    private final LongSupplier wallMillis;

    public RequestIds(String routerName, LongSupplier wallMillis) {
        this.prefix = routerName + "-";
        this.wallMillis = wallMillis;
    }

    /** The number of the next request. */
    public long next() {
        long floor = wallMillis.getAsLong() << 12;
        return last.updateAndGet(before -> Math.max(before + 1, floor));
    }

    /** The id of a request, from its number. */
    public String of(long number) {
        return prefix + Long.toString(number, 36);
    }
}
