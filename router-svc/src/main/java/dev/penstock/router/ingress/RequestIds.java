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

    public String next() {
        long floor = wallMillis.getAsLong() << 12;
        long id = last.updateAndGet(before -> Math.max(before + 1, floor));
        return prefix + Long.toString(id, 36);
    }
}
