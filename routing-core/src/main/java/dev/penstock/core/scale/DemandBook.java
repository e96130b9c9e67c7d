package dev.penstock.core.scale;

import dev.penstock.model.DemandRecord;
import dev.penstock.model.DemandRecord.ModelDemand;
import dev.penstock.model.PoolId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Demand of each pool, from what all routers tell of it.
 *
 * <pre>
 *   demand = running + unserved * S + queued * S / max(T, 10 s)
 * </pre>
 *
 * in requests at once, where {@code unserved} is what queues grew by plus what was shed and expired per second over 10 s,
 * {@code S} the mean time of a request over 5 min ({@link #SERVICE_PRIOR_SECONDS} until ten were completed) and {@code T} the
 * time a replica takes to start ({@link #START_PRIOR_SECONDS}). Waiting counts as the work it is, not as requests at once:
 * so demand is nearly the same with queueing on and off, where adding queue lengths would make it three times as much.
 *
 * <p>A router that is silent for 3 s is not counted. Growth is taken per router between its own records, so routers that
 * come, go and restart are no demand. One writer.
 */
public final class DemandBook {
    /** Of chat completions on a common engine; it matters only until ten requests were completed. */
    public static final double SERVICE_PRIOR_SECONDS = 2;

    /** Loading a model takes 60 to 300 s; the least of it plans for queues soonest. */
    public static final double START_PRIOR_SECONDS = 60;

    private static final double SHORTEST_START_SECONDS = 10;
    private static final long SERVICE_WINDOW_NANOS = Duration.ofMinutes(5).toNanos();
    private static final long FORGET_NANOS = Duration.ofMinutes(10).toNanos();

    private final AdviceTimes times;
    private final Map<String, RouterCounts> routers = new HashMap<>();
    private final Map<PoolId, PoolCounts> pools = new TreeMap<>();
    private long heardNanos;

    /** A router, as one life of it. */
    public record RouterLife(String name, long incarnation) {}

    public DemandBook(AdviceTimes times, long nowNanos) {
        this.times = times;
        this.heardNanos = nowNanos;
    }

    /** @return false for one that was not new */
    public boolean record(DemandRecord record, long receiveNanos) {
        RouterCounts router = routers.computeIfAbsent(record.header().producer(), name -> new RouterCounts());
        boolean taken = router.record(
                record,
                receiveNanos,
                times.rateWindow().toNanos(),
                (model, unserved, completed, serviceMicros) ->
                        pool(model.pool()).grow(unserved, completed, serviceMicros, receiveNanos));
        if (!taken) return false;
        if (router.heardNanos() - heardNanos > 0) heardNanos = router.heardNanos();
        for (ModelDemand model : record.models()) pool(model.pool()).mentioned(receiveNanos);
        return true;
    }

    /** Takes the present in; to be called each second, whether or not anything came. */
    public void tick(long nowNanos) {
        routers.values().removeIf(router -> router.silentNanos(nowNanos) > FORGET_NANOS);
        pools.values().removeIf(pool -> pool.forgotten(nowNanos, FORGET_NANOS));
        pools.values().forEach(PoolCounts::zero);
        for (RouterCounts router : routers.values()) {
            if (router.silentNanos(nowNanos) > times.silence().toNanos()) continue;
            for (ModelDemand model : router.models()) pool(model.pool()).add(model);
        }
        boolean known = inputsAgeNanos(nowNanos) <= times.silence().toNanos();
        for (PoolCounts pool : pools.values()) pool.tick(nowNanos, known);
    }

    /** Also of a pool that no router mentions: while routers talk, that is no demand. */
    public PoolDemand demand(PoolId id, long nowNanos) {
        boolean known = inputsAgeNanos(nowNanos) <= times.silence().toNanos();
        return pool(id).demand(nowNanos, known, inputsAgeNanos(nowNanos));
    }

    /** Makes a pool's demand known from here on, before any router mentions it. */
    public void watch(PoolId id, long nowNanos) {
        pool(id).mentioned(nowNanos);
    }

    public Set<PoolId> pools() {
        return Set.copyOf(pools.keySet());
    }

    public long inputsAgeNanos(long nowNanos) {
        return nowNanos - heardNanos;
    }

    /** How many of these have not been heard in time: their demand is missing in the sums. */
    public int silent(Set<RouterLife> live, long nowNanos) {
        int silent = 0;
        for (RouterLife life : live) {
            RouterCounts router = routers.get(life.name());
            boolean heard = router != null
                    && router.incarnation() == life.incarnation()
                    && router.silentNanos(nowNanos) <= times.silence().toNanos();
            if (!heard) silent++;
        }
        return silent;
    }

    private PoolCounts pool(PoolId id) {
        return pools.computeIfAbsent(id, pool -> new PoolCounts(times));
    }

    static long serviceWindowNanos() {
        return SERVICE_WINDOW_NANOS;
    }

    static double demand(double running, double unservedPerSecond, double queued, double serviceSeconds) {
        double start = Math.max(START_PRIOR_SECONDS, SHORTEST_START_SECONDS);
        return running + unservedPerSecond * serviceSeconds + queued * serviceSeconds / start;
    }
}
