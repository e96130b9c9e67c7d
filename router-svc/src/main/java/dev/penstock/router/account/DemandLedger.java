package dev.penstock.router.account;

import dev.penstock.model.DemandRecord.ModelDemand;
import dev.penstock.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What clients asked of each model, per request and never per attempt; each request is in exactly one state. Every event
 * loop counts, one context reads. Bounded by the known models.
 */
public final class DemandLedger {
    private final Map<String, Model> nameToModel = new ConcurrentHashMap<>();

    /** How a request left this router. */
    public enum Ending {
        COMPLETED,
        FAILED,
        CANCELLED,
        EXPIRED,
        SHED
    }

    private static final class Model {
        final PoolId pool;
        final LongAdder arrived = new LongAdder();
        final LongAdder completed = new LongAdder();
        final LongAdder failed = new LongAdder();
        final LongAdder cancelled = new LongAdder();
        final LongAdder expired = new LongAdder();
        final LongAdder shed = new LongAdder();
        final LongAdder serviceMicros = new LongAdder();

        Model(PoolId pool) {
            this.pool = pool;
        }
    }

    /** A request of a known model; {@link #ended} follows once. */
    public void arrived(String model, PoolId pool) {
        of(model, pool).arrived.increment();
    }

    /** @param serviceNanos time it took; counted of completed ones */
    public void ended(String model, PoolId pool, Ending ending, long serviceNanos) {
        Model counts = of(model, pool);
        switch (ending) {
            case COMPLETED -> {
                counts.serviceMicros.add(serviceNanos / 1000);
                counts.completed.increment();
            }
            case FAILED -> counts.failed.increment();
            case CANCELLED -> counts.cancelled.increment();
            case EXPIRED -> counts.expired.increment();
            case SHED -> counts.shed.increment();
        }
    }

    private Model of(String model, PoolId pool) {
        Model counts = nameToModel.get(model);
        return counts == null ? nameToModel.computeIfAbsent(model, name -> new Model(pool)) : counts;
    }

    /** Endings are read before arrivals, so that what runs is never counted below zero. */
    List<ModelDemand> all() {
        List<ModelDemand> all = new ArrayList<>(nameToModel.size());
        nameToModel.forEach((name, model) -> {
            long completed = model.completed.sum();
            long failed = model.failed.sum();
            long cancelled = model.cancelled.sum();
            long expired = model.expired.sum();
            long shed = model.shed.sum();
            long serviceMicros = model.serviceMicros.sum();
            long arrived = model.arrived.sum();
            long running = Math.max(0, arrived - completed - failed - cancelled - expired - shed);
            all.add(new ModelDemand(
                    name,
                    model.pool,
                    arrived,
                    (int) running,
                    0,
                    completed,
                    failed,
                    cancelled,
                    expired,
                    shed,
                    serviceMicros));
        });
        return all;
    }
}
