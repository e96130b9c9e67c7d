package dev.penstock.advisor.advice;

import dev.penstock.advisor.config.ScalingRules;
import dev.penstock.core.scale.AdviceTimes;
import dev.penstock.core.scale.DemandBook;
import dev.penstock.core.scale.Plan;
import dev.penstock.core.scale.Planner;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import dev.penstock.model.PoolTarget;
import dev.penstock.model.Topics;
import dev.penstock.wire.PoolTargetCodec;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans every pool each second. All instances do, so that one that takes over has seen the demand; only the owner of the
 * role publishes, and the others go on from what it published. Runs on the advisor's context.
 */
public final class Adviser {
    private static final Logger LOG = LoggerFactory.getLogger(Adviser.class);
    /** A pool that nobody knows any more keeps its record for this long, for owners that have not heard of it yet. */
    private static final long FORGET_NANOS = 600_000_000_000L;

    private final KafkaBus bus;
    private final Incarnation self;
    private final DemandBook demand;
    private final PoolReplicas replicas;
    private final ScalingRules rules;
    private final TargetBoard board;
    private final Supplier<Set<DemandBook.RouterLife>> routers;
    private final AdviceTimes times;
    private final LongSupplier nanoClock;
    private final Map<PoolId, Planner> poolToPlanner = new TreeMap<>();
    private final Map<PoolId, Plan> poolToPlan = new TreeMap<>();
    private final Map<PoolId, Long> poolToKnownNanos = new TreeMap<>();
    private final Set<PoolId> unsent = new HashSet<>();
    private long sequence;
    private @Nullable Long ownedSinceNanos;

    /** @param routers live ones, as membership has them */
    public Adviser(
            KafkaBus bus,
            Incarnation self,
            DemandBook demand,
            PoolReplicas replicas,
            ScalingRules rules,
            TargetBoard board,
            Supplier<Set<DemandBook.RouterLife>> routers,
            AdviceTimes times,
            LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.demand = demand;
        this.replicas = replicas;
        this.rules = rules;
        this.board = board;
        this.routers = routers;
        this.times = times;
        this.nanoClock = nanoClock;
    }

    /** Pools of the configuration, the roster and the routers. */
    public Set<PoolId> pools() {
        Set<PoolId> pools = new TreeSet<>(rules.pools());
        pools.addAll(replicas.pools());
        pools.addAll(demand.pools());
        return pools;
    }

    /** Plans of this instance; what is served is what the owner published. */
    public @Nullable Plan plan(PoolId pool) {
        return poolToPlan.get(pool);
    }

    public boolean inputsStale() {
        return demand.inputsAgeNanos(nanoClock.getAsLong()) > times.silence().toNanos();
    }

    /**
     * Plans, and publishes where this instance owns the role.
     *
     * @param epoch of its claim, or {@link Header#NO_EPOCH}
     */
    public void tick(long epoch) {
        long now = nanoClock.getAsLong();
        boolean owner = epoch != Header.NO_EPOCH;
        boolean goesOn = owner && ownedSinceNanos != null;
        if (!owner) ownedSinceNanos = null;
        else if (ownedSinceNanos == null) ownedSinceNanos = now;
        Set<PoolId> pools = pools();
        for (PoolId pool : rules.pools()) demand.watch(pool, now);
        for (PoolId pool : replicas.pools()) demand.watch(pool, now);
        demand.tick(now);
        int silent = demand.silent(routers.get(), now);
        for (PoolId pool : pools) {
            poolToKnownNanos.put(pool, now);
            Plan plan = planner(pool, goesOn)
                    .plan(rules.of(pool), demand.demand(pool, now), replicas.present(pool), silent, now);
            poolToPlan.put(pool, plan);
            if (owner) publish(pool, plan, epoch, now);
        }
        forget(pools, owner, now);
    }

    /** @param goesOn this instance published the last number itself */
    private Planner planner(PoolId pool, boolean goesOn) {
        Planner planner = poolToPlanner.get(pool);
        boolean fresh = planner == null;
        if (planner == null) {
            planner = new Planner(times);
            poolToPlanner.put(pool, planner);
        }
        TargetBoard.Posted posted = board.posted(pool);
        // a number that was held for want of inputs is no number to go on from
        if (posted != null && (fresh || (!goesOn && !blind(posted.target())))) {
            planner.adopt(posted.target().desired(), posted.target().replicas());
        }
        return planner;
    }

    private boolean blind(PoolTarget target) {
        return target.inputsAgeMicros() * 1_000 > times.silence().toNanos();
    }

    private void publish(PoolId pool, Plan plan, long epoch, long now) {
        // one at a time: what waits for Kafka is overtaken by the next second
        if (!unsent.add(pool)) return;
        PoolTarget target = new PoolTarget(
                new Header(self.name(), self.nonce(), sequence++, epoch, now),
                pool,
                plan.desired(),
                plan.replicas(),
                Math.round(plan.demand().longMean() * 1_000),
                plan.components(),
                plan.active(),
                plan.holdReason(),
                plan.demand().inputsAgeNanos() / 1_000,
                plan.rule().effectiveConcurrency());
        bus.publish(Topics.POOLS, 0, pool.toString(), PoolTargetCodec.encode(target))
                .onFailure(failure -> warn(pool, failure))
                .onComplete(told -> unsent.remove(pool));
    }

    private void forget(Set<PoolId> known, boolean owner, long now) {
        poolToPlanner.keySet().retainAll(known);
        poolToPlan.keySet().retainAll(known);
        Long since = ownedSinceNanos;
        if (!owner || since == null || now - since < FORGET_NANOS) return;
        for (PoolId pool : board.pools()) {
            long last = poolToKnownNanos.getOrDefault(pool, since);
            if (known.contains(pool) || now - last < FORGET_NANOS || !unsent.add(pool)) continue;
            LOG.atInfo().addKeyValue(LogKeys.POOL, pool).log("pool forgotten");
            bus.publish(Topics.POOLS, 0, pool.toString(), null)
                    .onFailure(failure -> warn(pool, failure))
                    .onComplete(told -> unsent.remove(pool));
        }
        poolToKnownNanos.keySet().removeIf(pool -> !known.contains(pool) && board.posted(pool) == null);
    }

    private static void warn(PoolId pool, Throwable failure) {
        LOG.atWarn()
                .addKeyValue(LogKeys.POOL, pool)
                .addKeyValue(LogKeys.REASON, failure.toString())
                .log("recommendation not stored");
    }
}
