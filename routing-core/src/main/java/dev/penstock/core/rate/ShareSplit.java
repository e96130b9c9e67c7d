package dev.penstock.core.rate;

import dev.penstock.core.ledger.HolderId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who should hold how many shares. With a lot for everybody, the rest is split in proportion to demand:
 *
 * <pre>
 *   demand = EWMA of arrivals per 100 ms, alpha 0.5
 *   target = lot + (available - holders x lot) x demand / sum of demands
 *   kept   while every holder is within 10 % of its target
 * </pre>
 *
 * With fewer lots than holders, lots are lent in turns to those at whom requests wait, each as often as its demand says. A turn
 * is over when a request has passed at the lot's rate, after 1 s at the least (a move loses what would have filled on the way, some
 * milliseconds), or when nobody waits at a borrower any more and somebody does elsewhere. One thread.
 */
final class ShareSplit {
    static final long PERIOD_NANOS = 100_000_000L;

    static final Comparator<HolderId> BY_NAME =
            Comparator.comparing(HolderId::name).thenComparingLong(HolderId::nonce);

    private static final double ALPHA = 0.5;
    private static final int HYSTERESIS_PCT = 10;
    private static final long SHORTEST_TURN_NANOS = 1_000_000_000L;

    /** Lots that a holder may be owed, or owe: what it could not use long ago is forgotten. */
    private static final double MOST_CREDIT = 2;

    /** Above all credit and demand. */
    private static final double WAITS = 1e6;

    private static final double STAYS = 1e-6;
    private static final double LEAST_WEIGHT = 0.01;

    private final Map<HolderId, Wants> wants = new HashMap<>();
    private SortedMap<HolderId, Integer> lots = new TreeMap<>(BY_NAME);
    private int lotsLent;
    private long turnEndsNanos;

    private static final class Wants {
        double demand;
        int waiting;
        double creditLots;
    }

    void reported(HolderId holder, int arrivals, int waiting) {
        Wants each = of(holder);
        each.demand += ALPHA * (arrivals - each.demand);
        each.waiting = waiting;
    }

    void asked(HolderId holder, int waiting) {
        of(holder).waiting = waiting;
    }

    void forget(HolderId holder) {
        wants.remove(holder);
    }

    private Wants of(HolderId holder) {
        return wants.computeIfAbsent(holder, unknown -> new Wants());
    }

    /** @param held by holders in reach, which are those that get targets */
    SortedMap<HolderId, Integer> targets(
            RateLimit limit, int available, SortedMap<HolderId, Integer> held, long nowNanos) {
        int lot = limit.lot();
        int whole = available / lot;
        if (held.isEmpty()) return held;
        if (whole < held.size()) return lent(limit, available, held, nowNanos);
        lotsLent = 0;
        SortedMap<HolderId, Integer> targets = proportional(lot, available, held);
        return near(targets, held) && sum(held) == available ? held : targets;
    }

    private SortedMap<HolderId, Integer> proportional(int lot, int available, SortedMap<HolderId, Integer> held) {
        double all = 0;
        for (HolderId holder : held.keySet()) all += of(holder).demand;
        int rest = available - lot * held.size();
        SortedMap<HolderId, Integer> targets = new TreeMap<>(BY_NAME);
        double before = 0;
        for (HolderId holder : held.keySet()) {
            // ends of intervals are rounded, so that the shares add up
            double part = all > 0 ? of(holder).demand / all : 1.0 / held.size();
            targets.put(holder, lot + (int) (Math.round(rest * (before + part)) - Math.round(rest * before)));
            before += part;
        }
        return targets;
    }

    private static boolean near(SortedMap<HolderId, Integer> targets, SortedMap<HolderId, Integer> held) {
        for (Map.Entry<HolderId, Integer> each : targets.entrySet()) {
            int has = held.getOrDefault(each.getKey(), 0);
            if (Math.abs(each.getValue() - has) * 100 > Math.max(100, has * HYSTERESIS_PCT)) return false;
        }
        return true;
    }

    private static int sum(SortedMap<HolderId, Integer> held) {
        int sum = 0;
        for (int each : held.values()) sum += each;
        return sum;
    }

    private SortedMap<HolderId, Integer> lent(
            RateLimit limit, int available, SortedMap<HolderId, Integer> held, long nowNanos) {
        int lot = limit.lot();
        int whole = available / lot;
        if (whole != lotsLent || !held.keySet().containsAll(lots.keySet()) || turnIsOver(held, nowNanos)) {
            turn(whole, held);
            turnEndsNanos = nowNanos + Math.max(SHORTEST_TURN_NANOS, limit.intervalNanos(lot));
        }
        SortedMap<HolderId, Integer> targets = new TreeMap<>(BY_NAME);
        int before = 0;
        for (HolderId holder : held.keySet()) {
            int through = before + lots.getOrDefault(holder, 0);
            // what makes no lot goes to all: a lot becomes larger as the limit falls
            targets.put(holder, through == before ? 0 : available * through / whole - available * before / whole);
            before = through;
        }
        return targets;
    }

    private boolean turnIsOver(SortedMap<HolderId, Integer> held, long nowNanos) {
        boolean wanted = false;
        for (HolderId holder : held.keySet()) wanted |= of(holder).waiting > 0 && !lots.containsKey(holder);
        if (!wanted) return false;
        if (nowNanos - turnEndsNanos >= 0) return true;
        for (HolderId holder : lots.keySet()) if (of(holder).waiting == 0) return true;
        return false;
    }

    private void turn(int whole, SortedMap<HolderId, Integer> held) {
        double all = 0;
        for (HolderId holder : held.keySet()) all += weight(of(holder));
        for (HolderId holder : held.keySet()) {
            Wants each = of(holder);
            double credit = each.waiting == 0 ? 0 : each.creditLots + whole * weight(each) / all;
            each.creditLots = Math.clamp(credit, -MOST_CREDIT * whole, MOST_CREDIT * whole);
        }
        SortedMap<HolderId, Integer> next = new TreeMap<>(BY_NAME);
        for (int i = 0; i < whole; i++) {
            HolderId best = best(held, next);
            if (best == null) break;
            next.merge(best, 1, Integer::sum);
            of(best).creditLots--;
        }
        lots = next;
        lotsLent = whole;
    }

    /** Who waits and is owed most; while nobody waits, who has none yet, then who has most of the demand. */
    private @Nullable HolderId best(SortedMap<HolderId, Integer> held, SortedMap<HolderId, Integer> next) {
        HolderId best = null;
        double most = Double.NEGATIVE_INFINITY;
        for (HolderId holder : held.keySet()) {
            Wants each = of(holder);
            double worth =
                    each.waiting > 0 ? WAITS + each.creditLots : each.demand - WAITS * next.getOrDefault(holder, 0);
            // as good as another: where it is, it need not move
            if (lots.containsKey(holder)) worth += STAYS;
            if (worth <= most) continue;
            best = holder;
            most = worth;
        }
        return best;
    }

    /** With a floor, so that a first request gets its turn. */
    private static double weight(Wants each) {
        return each.waiting == 0 ? 0 : Math.max(each.demand, LEAST_WEIGHT);
    }
}
