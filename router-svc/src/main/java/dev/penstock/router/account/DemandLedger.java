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

    /** Of one model; a request keeps it from its arrival to its end. */
    public static final class Model {
        private final PoolId pool;
        private final LongAdder arrived = new LongAdder();
        private final LongAdder completed = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder cancelled = new LongAdder();
        private final LongAdder expired = new LongAdder();
        private final LongAdder shed = new LongAdder();
        private final LongAdder serviceMicros = new LongAdder();

        private Model(PoolId pool) {
            this.pool = pool;
        }

        /** @param serviceNanos time it took; counted of completed ones */
        public void ended(Ending ending, long serviceNanos) {
            switch (ending) {
                case COMPLETED -> {
                    serviceMicros.add(serviceNanos / 1000);
                    completed.increment();
                }
                case FAILED -> failed.increment();
                case CANCELLED -> cancelled.increment();
                case EXPIRED -> expired.increment();
                case SHED -> shed.increment();
            }
        }
    }

    /** A request of a known model; {@link Model#ended} of what is returned follows once. */
    public Model arrived(String model, PoolId pool) {
        Model counts = of(model, pool);
        counts.arrived.increment();
        return counts;
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
