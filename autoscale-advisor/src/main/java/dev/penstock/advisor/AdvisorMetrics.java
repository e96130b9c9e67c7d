package dev.penstock.advisor;

import dev.penstock.advisor.advice.Recommendations;
import dev.penstock.core.scale.ServingRule;
import dev.penstock.model.PoolId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the advisor says of itself. Pools come from the roster, routers and the configuration, and their gauges go with them.
 * Written on the advisor's context.
 */
public final class AdvisorMetrics {
    /** Replicas that are recommended. Label: pool. */
    public static final String DESIRED = "penstock_advisor_desired_replicas";

    /** Replicas in the roster. Label: pool. */
    public static final String PRESENT = "penstock_advisor_present_replicas";

    /** Requests at once that are asked for, mean of 60 s. Label: pool. */
    public static final String DEMAND = "penstock_advisor_demand_requests";

    /** 1 while the pool's number is only held. Label: pool. */
    public static final String HOLD = "penstock_advisor_hold";

    /** 1 while nothing is said of the pool because all is too old. Label: pool. */
    public static final String UNAVAILABLE = "penstock_advisor_unavailable";

    /** Age of the youngest recommendation read back. */
    public static final String AGE = "penstock_advisor_recommendation_age_seconds";

    /** 1 where this instance publishes. */
    public static final String OWNER = "penstock_advisor_owner";

    /** Streams that KEDA holds open. */
    public static final String STREAMS = "penstock_advisor_keda_streams";

    /** Answers of the REST API about a pool. Label: result (number, hold, unavailable). */
    public static final String REST_ANSWERS = "penstock_advisor_rest_answers_total";

    /** Answers to KEDA. Labels: method, status. */
    public static final String KEDA_ANSWERS = "penstock_advisor_keda_answers_total";

    /** Records that were not taken. Labels: topic, result (malformed, old). */
    public static final String DROPPED = "penstock_advisor_dropped_records_total";

    private final MeterRegistry meters;
    private final List<Meter> gauges = new ArrayList<>();
    private final Map<PoolId, PoolGauges> poolToGauges = new HashMap<>();
    private volatile double ageSeconds;
    private volatile double owner;
    private volatile double streams;

    /** Values of one pool; written on the advisor's context, read by scrapes. */
    private static final class PoolGauges {
        private volatile double desired;
        private volatile double present;
        private volatile double demand;
        private volatile double hold;
        private volatile double unavailable;
        private final List<Meter> meters = new ArrayList<>();
    }

    public AdvisorMetrics(MeterRegistry meters) {
        this.meters = meters;
        gauges.add(Gauge.builder(AGE, this, all -> all.ageSeconds).register(meters));
        gauges.add(Gauge.builder(OWNER, this, all -> all.owner).register(meters));
        gauges.add(Gauge.builder(STREAMS, this, all -> all.streams).register(meters));
    }

    public void restAnswer(ServingRule.Answer answer) {
        String result =
                switch (answer) {
                    case ServingRule.Unavailable unavailable -> "unavailable";
                    case ServingRule.Number number -> number.hold() ? "hold" : "number";
                };
        meters.counter(REST_ANSWERS, "result", result).increment();
    }

    public void kedaAnswer(String method, String status) {
        meters.counter(KEDA_ANSWERS, "method", method, "status", status).increment();
    }

    public void dropped(String topic, String result) {
        meters.counter(DROPPED, "topic", topic, "result", result).increment();
    }

    void refresh(Recommendations recommendations, boolean owns, long youngestAgeNanos, int openStreams) {
        ageSeconds = youngestAgeNanos < 0 ? Double.NaN : youngestAgeNanos / 1e9;
        owner = owns ? 1 : 0;
        streams = openStreams;
        Set<PoolId> pools = recommendations.pools();
        for (PoolId pool : pools) {
            set(poolToGauges.computeIfAbsent(pool, this::register), recommendations, pool);
        }
        poolToGauges.entrySet().removeIf(entry -> {
            if (pools.contains(entry.getKey())) return false;
            entry.getValue().meters.forEach(meters::remove);
            return true;
        });
    }

    void close() {
        gauges.forEach(meters::remove);
        poolToGauges.values().forEach(pool -> pool.meters.forEach(meters::remove));
        poolToGauges.clear();
    }

    private static void set(PoolGauges gauges, Recommendations recommendations, PoolId pool) {
        gauges.present = recommendations.present(pool);
        switch (recommendations.answer(pool)) {
            case ServingRule.Unavailable unavailable -> {
                gauges.unavailable = 1;
                gauges.hold = 1;
                gauges.desired = Double.NaN;
                gauges.demand = Double.NaN;
            }
            case ServingRule.Number number -> {
                gauges.unavailable = 0;
                gauges.hold = number.hold() ? 1 : 0;
                gauges.desired = number.desired();
                gauges.demand = number.target().demandMilli() / 1e3;
            }
        }
    }

    private PoolGauges register(PoolId pool) {
        PoolGauges gauges = new PoolGauges();
        Tags tags = Tags.of("pool", pool.toString());
        gauges.meters.add(
                Gauge.builder(DESIRED, gauges, g -> g.desired).tags(tags).register(meters));
        gauges.meters.add(
                Gauge.builder(PRESENT, gauges, g -> g.present).tags(tags).register(meters));
        gauges.meters.add(
                Gauge.builder(DEMAND, gauges, g -> g.demand).tags(tags).register(meters));
        gauges.meters.add(Gauge.builder(HOLD, gauges, g -> g.hold).tags(tags).register(meters));
        gauges.meters.add(Gauge.builder(UNAVAILABLE, gauges, g -> g.unavailable)
                .tags(tags)
                .register(meters));
        return gauges;
    }
}
