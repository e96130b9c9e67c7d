package dev.penstock.router.session;

import dev.penstock.core.session.SessionPins;
import dev.penstock.kit.metrics.MetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;

/** What became of proposals, and how many pins there are. Any thread. */
public final class PinCounters {
    final Counter accepted;
    /** Another router was first: its owner was taken over. */
    final Counter overtaken;
    /** Too many waited, or Redis refused it; a later renewal tells it again. */
    final Counter dropped;

    private final MeterRegistry meters;

    public PinCounters(MeterRegistry meters, SessionPins pins, LongSupplier nanoClock) {
        this.meters = meters;
        this.accepted = proposals("accepted");
        this.overtaken = proposals("overtaken");
        this.dropped = proposals("dropped");
        Gauge.builder(MetricNames.ROUTER_PINS, pins, known -> known.count(nanoClock.getAsLong()))
                .register(meters);
    }

    void connectedBy(RedisPins store) {
        Gauge.builder(MetricNames.ROUTER_PINS_CONNECTED, store, pins -> pins.connected() ? 1 : 0)
                .register(meters);
    }

    private Counter proposals(String result) {
        return Counter.builder(MetricNames.ROUTER_PIN_PROPOSALS)
                .tag(MetricNames.RESULT_LABEL, result)
                .register(meters);
    }
}
