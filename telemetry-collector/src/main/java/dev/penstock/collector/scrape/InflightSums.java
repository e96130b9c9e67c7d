package dev.penstock.collector.scrape;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.InflightVector;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Requests that the routers together have in flight at each replica. What a router told is forgotten when it was silent for
 * 3 s: it sends a full vector each second. What was read of it is remembered for a minute, so that a copy that comes late
 * brings nothing back. One thread.
 */
public final class InflightSums {
    private static final long SILENCE_NANOS = Duration.ofSeconds(3).toNanos();
    private static final long FORGOTTEN_NANOS = Duration.ofSeconds(60).toNanos();

    private final Map<String, Router> nameToRouter = new HashMap<>();
    private final Map<Integer, Integer> numberToSum = new HashMap<>();

    private static final class Router {
        final FrameGate gate = new FrameGate();
        final Map<Integer, Integer> numberToCount = new HashMap<>();
        boolean heard;
        long incarnation;
        long sentNanos;
    }

    /** @param gotTraffic told of each replica that had nothing in flight and now has */
    public void accept(InflightVector vector, long nowNanos, IntConsumer gotTraffic) {
        Router router = nameToRouter.computeIfAbsent(vector.header().producer(), name -> new Router());
        if (router.gate.admit(vector.header(), vector.full(), nowNanos) == FrameGate.Admission.DROPPED) return;
        long incarnation = vector.header().incarnation();
        long sentNanos = nowNanos - router.gate.excessNanos();
        if (router.heard && router.incarnation != incarnation) {
            // A late one of the life before says nothing of the present one.
            if (sentNanos - router.sentNanos < 0) return;
            forget(router);
        }
        router.heard = true;
        router.incarnation = incarnation;
        router.sentNanos = sentNanos;
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
            if (nowNanos - router.sentNanos > SILENCE_NANOS) forget(router);
            return nowNanos - router.gate.lastReceiveNanos() > FORGOTTEN_NANOS;
        });
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
        router.numberToCount.clear();
    }
}
