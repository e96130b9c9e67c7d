package dev.penstock.collector.scrape;

import dev.penstock.model.InflightVector;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests that the routers together have in flight at each replica. A router that was silent for 3 s is forgotten: it
 * sends a full vector each second. One thread.
 */
public final class InflightSums {
    private static final long SILENCE_NANOS = Duration.ofSeconds(3).toNanos();

    private final Map<String, Router> nameToRouter = new HashMap<>();
    private final Map<Integer, Integer> numberToSum = new HashMap<>();

    private static final class Router {
        final long incarnation;
        final Map<Integer, Integer> numberToCount = new HashMap<>();
        long sequence = Long.MIN_VALUE;
        long seenNanos;

        Router(long incarnation) {
            this.incarnation = incarnation;
        }
    }

    /** @param gotTraffic told of each replica that had nothing in flight and now has */
    public void accept(InflightVector vector, long nowNanos, IntConsumer gotTraffic) {
        Router router = router(vector);
        if (vector.header().sequence() <= router.sequence) return;
        router.sequence = vector.header().sequence();
        router.seenNanos = nowNanos;
        Map<Integer, Integer> next = new HashMap<>();
        for (int i = 0; i < vector.numbers().length; i++)
            next.put(vector.numbers()[i], Math.max(0, vector.counts()[i]));
        if (vector.full()) {
            for (int number : router.numberToCount.keySet()) next.putIfAbsent(number, 0);
        }
        next.forEach((number, count) -> set(router, number, count, gotTraffic));
    }

    public int of(int number) {
        return numberToSum.getOrDefault(number, 0);
    }

    /** Forgets the silent. */
    public void expire(long nowNanos) {
        nameToRouter.values().removeIf(router -> {
            boolean silent = nowNanos - router.seenNanos > SILENCE_NANOS;
            if (silent) forget(router);
            return silent;
        });
    }

    private Router router(InflightVector vector) {
        String name = vector.header().producer();
        @Nullable Router known = nameToRouter.get(name);
        if (known != null && known.incarnation == vector.header().incarnation()) return known;
        if (known != null) forget(known);
        Router fresh = new Router(vector.header().incarnation());
        nameToRouter.put(name, fresh);
        return fresh;
    }

    private void set(Router router, int number, int count, IntConsumer gotTraffic) {
        Integer old = count == 0 ? router.numberToCount.remove(number) : router.numberToCount.put(number, count);
        int before = of(number);
        int after = before + count - (old == null ? 0 : old);
        if (after == 0) numberToSum.remove(number);
        else numberToSum.put(number, after);
        if (before == 0 && after > 0) gotTraffic.accept(number);
    }

    private void forget(Router router) {
        router.numberToCount.forEach((number, count) ->
                numberToSum.computeIfPresent(number, (n, sum) -> sum - count == 0 ? null : sum - count));
    }
}
