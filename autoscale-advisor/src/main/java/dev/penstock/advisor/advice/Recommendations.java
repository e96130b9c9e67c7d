package dev.penstock.advisor.advice;

import dev.penstock.core.scale.AdviceTimes;
import dev.penstock.core.scale.ServingRule;
import dev.penstock.model.PoolId;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Answers for REST, KEDA and the page: all say the same. Read on the advisor's context. */
public final class Recommendations {
    private final TargetBoard board;
    private final PoolReplicas replicas;
    private final Supplier<Set<PoolId>> others;
    private final AdviceTimes times;
    private final LongSupplier nanoClock;

    /** @param others pools that are known, whether or not anything was published for them */
    public Recommendations(
            TargetBoard board,
            PoolReplicas replicas,
            Supplier<Set<PoolId>> others,
            AdviceTimes times,
            LongSupplier nanoClock) {
        this.board = board;
        this.replicas = replicas;
        this.others = others;
        this.times = times;
        this.nanoClock = nanoClock;
    }

    public Set<PoolId> pools() {
        Set<PoolId> pools = new TreeSet<>(board.pools());
        pools.addAll(others.get());
        return pools;
    }

    public boolean knows(PoolId pool) {
        return board.posted(pool) != null || others.get().contains(pool);
    }

    public int present(PoolId pool) {
        return replicas.present(pool);
    }

    public ServingRule.Answer answer(PoolId pool) {
        TargetBoard.Posted posted = board.posted(pool);
        int present = replicas.present(pool);
        if (posted == null || posted.history()) return ServingRule.answer(null, 0, present, times);
        long age = Math.max(0, nanoClock.getAsLong() - posted.sentNanos());
        return ServingRule.answer(posted.target(), age, present, times);
    }
}
