package dev.penstock.core.rate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Shares of one model's rate limit, equal among its routers and conserved while they move. What counts is not what was
 * said last but what a router may still go by: its highest share of the last {@link #SETTLE_NANOS}, in which every router
 * has read what it was told.
 *
 * <pre>
 *   held(r)  = max share of r among the records that may be in force: those told within the last 2 s, the one that was in
 *              force before them, and those sent of which it is not known whether they were stored
 *   lower    : at once
 *   raise    : only while sum(held) <= limit, and by what that leaves in total; back to held(r) costs nothing
 * </pre>
 *
 * Hence sum(held) is at most the limit at the last raise, or the limit 2 s ago: never more than the highest limit of the last
 * moments. A router that is no longer live keeps its place for {@link #MISSED_NANOS}, so that a restart moves nothing, then
 * loses its share, which the others get 2 s later. One thread.
 */
public final class RateShares {
    /** A router goes by a record within 1.5 s of its publication. */
    public static final long SETTLE_NANOS = 2_000_000_000L;

    /** A router counts this long after it was last live. */
    public static final long MISSED_NANOS = 3_000_000_000L;

    private final Deque<Told> told = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();
    private final Map<String, Long> routerToLastLive = new HashMap<>();
    private boolean pastUnknown;
    private long pastKnownNanos;

    /** A record that was read back: from then on all routers get to know it. */
    private record Told(Map<String, Long> shares, long nanos) {}

    /** A record that may be in the topic. */
    private record Sent(Map<String, Long> shares, long sequence) {}

    /** One that is about to be sent; routers may go by it from now on. */
    public void sending(Map<String, Long> shares, long sequence) {
        Map<String, Long> copy = Map.copyOf(shares);
        // told again while Kafka is away: the last of them stands for all
        sent.removeIf(each -> each.shares().equals(copy));
        sent.add(new Sent(copy, sequence));
    }

    /** One of this instance's own was read back, and with it all that were sent before. */
    public void heardOwn(Map<String, Long> shares, long sequence, long nowNanos) {
        sent.removeIf(each -> each.sequence() <= sequence);
        add(shares, nowNanos);
    }

    /**
     * One of another instance was read. The first that is heard of at all may have lowered what compaction has removed:
     * nothing is raised until that cannot matter.
     */
    public void heardOther(Map<String, Long> shares, long nowNanos) {
        boolean first = told.isEmpty() && sent.isEmpty();
        add(shares, nowNanos);
        if (first) tookOver(nowNanos);
    }

    /** From here on this instance writes. What the last owner sent in its last moments may not have been read yet. */
    public void tookOver(long nowNanos) {
        if (told.isEmpty()) return;
        pastUnknown = true;
        pastKnownNanos = nowNanos + SETTLE_NANOS;
    }

    /** Who is live. A router that has a share and was never seen counts from here on. */
    public void live(Collection<String> routers, long nowNanos) {
        for (String router : routers) routerToLastLive.put(router, nowNanos);
        Map<String, Long> held = held(nowNanos);
        for (String router : held.keySet()) routerToLastLive.putIfAbsent(router, nowNanos);
        routerToLastLive
                .entrySet()
                .removeIf(each -> missed(each.getValue(), nowNanos) && !held.containsKey(each.getKey()));
    }

    /** What to publish: every router that counts, by name, with its share in milli-rps. Changes nothing. */
    public SortedMap<String, Long> plan(long limit, long nowNanos) {
        SortedMap<String, Long> target = equal(limit, nowNanos);
        Map<String, Long> current = told();
        Map<String, Long> held = held(nowNanos);
        SortedMap<String, Long> next = new TreeMap<>();
        target.forEach((router, share) -> next.put(router, Math.min(share, current.getOrDefault(router, 0L))));
        long room = limit - sum(held);
        if (room < 0 || (pastUnknown && pastKnownNanos - nowNanos > 0)) return next;
        raise(next, target, held, room);
        return next;
    }

    /** What routers may go by, by name. */
    public SortedMap<String, Long> held(long nowNanos) {
        forget(nowNanos);
        SortedMap<String, Long> held = new TreeMap<>();
        for (Told each : told) each.shares().forEach((router, share) -> held.merge(router, share, Math::max));
        for (Sent each : sent) each.shares().forEach((router, share) -> held.merge(router, share, Math::max));
        return held;
    }

    /** The last shares that were read. */
    public Map<String, Long> told() {
        Told last = told.peekLast();
        return last == null ? Map.of() : last.shares();
    }

    public static long sum(Map<String, Long> shares) {
        return shares.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Integers that add up to the limit; the first routers get what does not divide. */
    private SortedMap<String, Long> equal(long limit, long nowNanos) {
        SortedMap<String, Long> target = new TreeMap<>();
        routerToLastLive.forEach((router, last) -> {
            if (!missed(last, nowNanos)) target.put(router, 0L);
        });
        int count = target.size();
        if (count == 0) return target;
        long rest = limit % count;
        for (Map.Entry<String, Long> each : target.entrySet()) each.setValue(limit / count + (rest-- > 0 ? 1 : 0));
        return target;
    }

    private static void raise(
            SortedMap<String, Long> next, SortedMap<String, Long> target, Map<String, Long> held, long room) {
        next.replaceAll((router, share) ->
                Math.max(share, Math.min(target.getOrDefault(router, 0L), held.getOrDefault(router, 0L))));
        // those that lack least first: what they leave of their part goes to the others
        List<String> wanting = new ArrayList<>(next.keySet());
        wanting.sort(Comparator.comparingLong(router -> lack(router, next, target)));
        long left = room;
        for (int i = 0; i < wanting.size(); i++) {
            String router = wanting.get(i);
            long more = Math.min(lack(router, next, target), left / (wanting.size() - i));
            next.merge(router, more, Long::sum);
            left -= more;
        }
    }

    private static long lack(String router, Map<String, Long> next, Map<String, Long> target) {
        return target.getOrDefault(router, 0L) - next.getOrDefault(router, 0L);
    }

    private void add(Map<String, Long> shares, long nowNanos) {
        forget(nowNanos);
        // a record that says the same again lowers nothing anew
        if (!shares.equals(told()) || told.isEmpty()) told.addLast(new Told(Map.copyOf(shares), nowNanos));
    }

    /** Drops what no router can go by any more: records that were followed by another 2 s ago. */
    private void forget(long nowNanos) {
        while (told.size() > 1) {
            Told first = told.removeFirst();
            if (nowNanos - told.getFirst().nanos() < SETTLE_NANOS) {
                told.addFirst(first);
                return;
            }
        }
    }

    private static boolean missed(long lastLiveNanos, long nowNanos) {
        return nowNanos - lastLiveNanos > MISSED_NANOS;
    }
}
