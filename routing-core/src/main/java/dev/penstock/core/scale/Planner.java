package dev.penstock.core.scale;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Replicas that a pool wants, planned each second.
 *
 * <pre>
 *   N* = max(ceil(mean60 / L), min)                    L = requests at once a replica is planned for
 *   h  = max(1, ceil(2 * sqrt(mean60) / L))            the band; 0 for no demand
 *   up:    N* above the standing number for the up-window      -> ceil(mean60 / L) + h
 *   panic: mean6 > R * L and mean6 > mean60 + 4 * sqrt(mean60)   -> ceil(mean6 / L) + h(mean6), at once
 *   down:  max over the down-window of ceil(mean60 / L) + h, below the standing number for 60 s    -> that number
 * </pre>
 *
 * The standing number is what was asked for last, so replicas on their way are never asked for twice. Going up ends a band
 * above what is needed and going down ends a band above the most that was, so demand that varies by what its size explains
 * changes nothing; scaling on a high percentile without a band hunts, tens to hundreds of times a day. Four deviations
 * because a steady load's six seconds exceed three several times a day.
 *
 * <p>Nothing is lowered by what is not known: not before a minute of demand was seen, not while a live router is silent, and
 * not before the down-window has passed since the start. Without any demand record, or with one that is no number, the
 * present count is held. One writer.
 */
public final class Planner {
    private static final double PANIC_DEVIATIONS = 4;

    /** Mean demand at a time. */
    private record Asked(long nanos, double demand) {}

    private final AdviceTimes times;
    private final Deque<Asked> window = new ArrayDeque<>();
    private final Lasting above = new Lasting();
    private final Lasting below = new Lasting();
    private boolean begun;
    private boolean adopted;
    private boolean lowering;
    private boolean raised;
    private int standing;
    private double lastDemand;
    private boolean everPanicked;
    private long panicNanos;

    public Planner(AdviceTimes times) {
        this.times = times;
    }

    /**
     * Takes over what is published, as the number to go on from. A lowering that was under way goes on; otherwise replicas
     * that were added since are somebody's wish, and count as needed until the demand has been seen.
     *
     * @param replicasThen present when it was published
     */
    public void adopt(int desired, int replicasThen) {
        standing = desired;
        adopted = true;
        lowering = desired < replicasThen;
    }

    /**
     * Plans.
     *
     * @param replicas present, starting ones included
     * @param silentRouters live ones whose demand is missing
     */
    public Plan plan(ScalingRule rule, PoolDemand demand, int replicas, int silentRouters, long nowNanos) {
        if (!begun) begin(rule, replicas, nowNanos);
        boolean warm = demand.seenNanos() >= times.longMean().toNanos();
        if (!warm && !(adopted && lowering)) standing = Math.max(standing, replicas);
        if (!demand.known() || !demand.finite()) return hold(rule, demand, replicas, silentRouters, nowNanos);

        int carrying = rule.carrying(demand.longMean());
        int headroom = rule.headroom(demand.longMean());
        int needed = rule.clamp(carrying);
        // what a silent router has is missing in the demand
        double asked = silentRouters == 0 ? demand.longMean() : Math.max(demand.longMean(), lastDemand);
        remember(rule, asked, nowNanos);
        boolean panic = panics(rule, demand, replicas);
        if (panic) {
            everPanicked = true;
            panicNanos = nowNanos;
        }
        raise(rule, demand, needed, carrying + headroom, panic, nowNanos);
        boolean sure = warm && silentRouters == 0 && !panickedLately(nowNanos);
        lower(rule, sure, nowNanos);
        standing = rule.clamp(standing);
        String reason = warm || raised ? "" : "warming up: " + seconds(demand.seenNanos()) + " s of demand seen";
        return result(rule, demand, standing, replicas, reason, panic, silentRouters);
    }

    /** Until demand is known and the down-window has passed since, what is present counts as having been needed. */
    private void begin(ScalingRule rule, int replicas, long nowNanos) {
        begun = true;
        if (!adopted) standing = rule.clamp(replicas);
        remember(rule, Math.max(standing, replicas) * rule.effectiveConcurrency(), nowNanos);
    }

    /** The number stays what it was for when demand is known again. */
    private Plan hold(ScalingRule rule, PoolDemand demand, int replicas, int silentRouters, long nowNanos) {
        remember(rule, lastDemand, nowNanos);
        above.ends();
        below.ends();
        raised = false;
        String reason = demand.known()
                ? "demand is no number"
                : "no router told its demand for " + seconds(demand.inputsAgeNanos()) + " s";
        return result(rule, demand, replicas, replicas, reason, false, silentRouters);
    }

    private Plan result(
            ScalingRule rule,
            PoolDemand demand,
            int desired,
            int replicas,
            String reason,
            boolean panic,
            int silentRouters) {
        boolean active = desired > 0 || most() > 0 || (replicas > 0 && !demand.known());
        return new Plan(
                desired,
                replicas,
                active,
                reason,
                demand,
                rule,
                rule.clamp(rule.carrying(demand.longMean())),
                rule.headroom(demand.longMean()),
                rule.carrying(most()),
                panic,
                silentRouters);
    }

    private boolean panics(ScalingRule rule, PoolDemand demand, int replicas) {
        if (demand.seenNanos() < times.shortMean().toNanos()) return false;
        double usual = demand.longMean() + PANIC_DEVIATIONS * Math.sqrt(demand.longMean());
        return demand.shortMean() > replicas * rule.effectiveConcurrency() && demand.shortMean() > usual;
    }

    private boolean panickedLately(long nowNanos) {
        return everPanicked && nowNanos - panicNanos < times.longMean().toNanos();
    }

    private void raise(
            ScalingRule rule, PoolDemand demand, int needed, int withHeadroom, boolean panic, long nowNanos) {
        boolean seen = demand.seenNanos() >= times.shortMean().toNanos();
        if (above.lasts(seen && needed > standing, rule.upWindow().toNanos(), nowNanos)) {
            raiseTo(rule.clamp(withHeadroom));
        }
        if (panic) {
            raiseTo(rule.clamp(rule.carrying(demand.shortMean()) + rule.headroom(demand.shortMean())));
        }
    }

    private void raiseTo(int replicas) {
        if (replicas <= standing) return;
        standing = replicas;
        raised = true;
        above.ends();
        below.ends();
    }

    private void lower(ScalingRule rule, boolean sure, long nowNanos) {
        int enough = rule.clamp(rule.carrying(most()) + rule.headroom(most()));
        if (below.lasts(sure && enough < standing, times.lowerAfter().toNanos(), nowNanos)) {
            standing = enough;
            below.ends();
        }
    }

    private void remember(ScalingRule rule, double demand, long nowNanos) {
        lastDemand = demand;
        // less that is older never is the most
        while (!window.isEmpty() && window.getLast().demand() <= demand) window.removeLast();
        window.addLast(new Asked(nowNanos, demand));
        while (nowNanos - window.getFirst().nanos() > rule.downWindow().toNanos()) window.removeFirst();
    }

    private double most() {
        return window.getFirst().demand();
    }

    private static long seconds(long nanos) {
        return nanos / 1_000_000_000;
    }

    /** Whether something has been so without a break for long enough. */
    private static final class Lasting {
        private boolean begun;
        private long sinceNanos;

        boolean lasts(boolean now, long forNanos, long nowNanos) {
            if (!now) {
                begun = false;
                return false;
            }
            if (!begun) {
                begun = true;
                sinceNanos = nowNanos;
            }
            return nowNanos - sinceNanos >= forNanos;
        }

        void ends() {
            begun = false;
        }
    }
}
