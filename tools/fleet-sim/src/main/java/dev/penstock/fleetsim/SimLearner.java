package dev.penstock.fleetsim;

import dev.penstock.core.capacity.CapacityLearner;
import dev.penstock.core.capacity.Work;
import dev.penstock.core.capacity.WorkMeter;
import dev.penstock.model.Sample;
import java.util.HashMap;
import java.util.Map;

/** Has the production learner learn from engines that count tokens, as the telemetry-collector does: a tick each second. */
final class SimLearner {
    private static final long TICK_NANOS = 1_000_000_000L;

    private final CapacityLearner learner = new CapacityLearner();
    private final Map<Integer, Metered> numberToMetered = new HashMap<>();
    private long tickNanos;

    private record Metered(String hardwareClass, WorkMeter meter) {}

    /** One scrape. */
    void sample(int number, Engine engine, long nowNanos) {
        Engine.Tokens tokens = engine.tokens();
        if (tokens == null) return;
        numberToMetered
                .computeIfAbsent(number, n -> new Metered(engine.hardwareClass(), new WorkMeter()))
                .meter()
                .sample(
                        new Work(tokens.output(), tokens.prompt(), Sample.UNKNOWN, Double.NaN),
                        engine.heartbeat(),
                        engine.running(),
                        engine.inflight(),
                        nowNanos);
    }

    void tick(long nowNanos) {
        if (numberToMetered.isEmpty() || nowNanos - tickNanos < TICK_NANOS) return;
        numberToMetered.forEach((number, its) -> {
            WorkMeter meter = its.meter();
            if (!meter.tick()) return;
            learner.observe(number, its.hardwareClass(), meter.work(), meter.meanInflight(), meter.dtNanos());
        });
        learner.settle(nowNanos - tickNanos);
        tickNanos = nowNanos;
    }

    int capacityMilli(int number) {
        return learner.capacityMilli(number);
    }

    double throughput(int number) {
        return learner.throughput(number);
    }
}
