package dev.penstock.advisor.advice;

import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Replicas that the roster has, per pool: starting ones count, gone ones do not. Written and read on the advisor's context. */
public final class PoolReplicas {
    private final Map<String, Replica> nameToReplica = new HashMap<>();

    /** @param record null when the key was removed */
    public void record(String name, @Nullable RosterRecord record) {
        if (record == null || record.gone()) nameToReplica.remove(name);
        else nameToReplica.put(name, record.replica());
    }

    public int present(PoolId pool) {
        int present = 0;
        for (Replica replica : nameToReplica.values()) {
            if (replica.pool().equals(pool)) present++;
        }
        return present;
    }

    public Set<PoolId> pools() {
        Set<PoolId> pools = new TreeSet<>();
        nameToReplica.values().forEach(replica -> pools.add(replica.pool()));
        return pools;
    }
}
