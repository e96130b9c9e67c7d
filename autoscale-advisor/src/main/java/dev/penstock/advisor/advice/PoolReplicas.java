package dev.penstock.advisor.advice;

import dev.penstock.model.PoolId;
import dev.penstock.model.RosterRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Replicas that the roster has, per pool: starting ones count, gone ones do not. Written and read on the advisor's context. */
public final class PoolReplicas {
    private final Map<String, PoolId> nameToPool = new HashMap<>();
    private final Map<PoolId, Integer> poolToCount = new TreeMap<>();

    /** @param record null when the key was removed */
    public void record(String name, @Nullable RosterRecord record) {
        PoolId next = record == null || record.gone() ? null : record.replica().pool();
        PoolId before = next == null ? nameToPool.remove(name) : nameToPool.put(name, next);
        if (before != null) poolToCount.computeIfPresent(before, (pool, count) -> count == 1 ? null : count - 1);
        if (next != null) poolToCount.merge(next, 1, Integer::sum);
    }

    public int present(PoolId pool) {
        return poolToCount.getOrDefault(pool, 0);
    }

    public Set<PoolId> pools() {
        return Set.copyOf(poolToCount.keySet());
    }
}
