package dev.penstock.fleetsim;

import dev.penstock.core.capacity.CapacityLearner;
import dev.penstock.core.capacity.WorkMeter;
import java.util.HashMap;
import java.util.Map;

/** Has the production learner learn from engines that count tokens, as the telemetry-collector does: a tick each second. */
final class SimLearner {
    private static final long TICK_NANOS = 1_000_000_000L;

    private final EngineModel engines;
    private final CapacityLearner learner = new CapacityLearner();
    private final Map<Integer, WorkMeter> numberToMeter = new HashMap<>();
    private long tickNanos;

    SimLearner(EngineModel engines) {
        this.engines = engines;
    }

    void sample(int number, Engine engine, long nowNanos) {
        Engine.Tokens tokens = engine.tokens();
        if (tokens == null) return;
        numberToMeter
                .computeIfAbsent(number, n -> new WorkMeter())
                .sample(WorkMeter.units(tokens.prompt(), tokens.output()), engine.inflight(), nowNanos);
    }

    void tick(long nowNanos) {
        if (numberToMeter.isEmpty() || nowNanos - tickNanos < TICK_NANOS) return;
        numberToMeter.forEach((number, meter) -> {
            if (!meter.tick()) return;
            String hardwareClass = System.getProperty("hetero.nolabel") != null ? "" : engines.of(number).hardwareClass();
            learner.observe(number, hardwareClass, meter.work(), meter.meanInflight(), meter.dtNanos());
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

    double half(int number) {
        return learner.half(number);
    }

}
