package dev.penstock.collector.capacity;

import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.model.PoolId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Shows the capacity book as gauges: numbers of replicas, and a spread per pool. Refreshed on the collector's context. */
public final class CapacityMeters {
    private static final String[] STATES = {"learned", "prior", "unknown"};

    private final CapacityBook book;
    private final MeterRegistry meters;
    private final Map<PoolId, Spread> poolToSpread = new HashMap<>();
    private volatile int[] counts = new int[STATES.length];

    private static final class Spread {
        volatile double ratio;
        final Gauge gauge;

        Spread(PoolId pool, MeterRegistry meters) {
            gauge = Gauge.builder(MetricNames.COLLECTOR_CAPACITY_SPREAD, this, spread -> spread.ratio)
                    .tag(MetricNames.POOL_LABEL, pool.toString())
                    .register(meters);
        }
    }

    public CapacityMeters(CapacityBook book, MeterRegistry meters) {
        this.book = book;
        this.meters = meters;
        for (int i = 0; i < STATES.length; i++) {
            int state = i;
            Gauge.builder(MetricNames.COLLECTOR_CAPACITY_REPLICAS, this, each -> each.counts[state])
                    .tag(MetricNames.STATE_LABEL, STATES[state])
                    .register(meters);
        }
    }

    public void refresh() {
        counts = book.counts();
        Map<PoolId, Double> now = book.poolToSpread();
        now.forEach(
                (pool, ratio) -> poolToSpread.computeIfAbsent(pool, name -> new Spread(name, meters)).ratio = ratio);
        poolToSpread.entrySet().removeIf(entry -> {
            if (now.containsKey(entry.getKey())) return false;
            meters.remove(entry.getValue().gauge);
            return true;
        });
    }
}
