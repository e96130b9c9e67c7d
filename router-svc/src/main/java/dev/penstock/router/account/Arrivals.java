package dev.penstock.router.account;

import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Requests that arrived for each pool since this router started, whatever became of them. Bounded by the known models. */
public final class Arrivals {
    private final Map<PoolId, LongAdder> poolToArrived = new ConcurrentHashMap<>();

    /** A request, not an attempt. */
    public void arrived(PoolId pool) {
        LongAdder arrived = poolToArrived.get(pool);
        if (arrived == null) arrived = poolToArrived.computeIfAbsent(pool, p -> new LongAdder());
        arrived.increment();
    }

    List<InflightVector.PoolArrivals> all() {
        List<InflightVector.PoolArrivals> all = new ArrayList<>(poolToArrived.size());
        poolToArrived.forEach((pool, arrived) -> all.add(new InflightVector.PoolArrivals(pool, arrived.sum())));
        return all;
    }
}
