package dev.penstock.router;

import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.router.ingress.BodyMemory;
import dev.penstock.router.ingress.IngressVerticle;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.LongSupplier;

/** What the router's state is, read when somebody scrapes it. */
final class RouterGauges {
    private RouterGauges() {}

    static void register(
            MeterRegistry meters,
            FleetView view,
            BodyMemory memory,
            List<IngressVerticle> listeners,
            LongSupplier nanoClock) {
        Gauge.builder(MetricNames.ROUTER_LINGERING, listeners, RouterGauges::lingering)
                .register(meters);
        Gauge.builder(MetricNames.ROUTER_INFLIGHT, view, RouterGauges::inflight).register(meters);
        Gauge.builder(MetricNames.ROUTER_QUARANTINED, view, RouterGauges::quarantined)
                .register(meters);
        Gauge.builder(MetricNames.ROUTER_BODY_BYTES, memory, BodyMemory::used).register(meters);
        Gauge.builder(MetricNames.ROUTER_VIEW_AGE, view, v -> ageSeconds(v, nanoClock.getAsLong()))
                .register(meters);
    }

    private static double inflight(FleetView view) {
        long sum = 0;
        for (ReplicaEntry entry : view.current().entries()) sum += entry.cell().own();
        return sum;
    }

    private static double lingering(List<IngressVerticle> listeners) {
        return listeners.stream().mapToInt(IngressVerticle::lingering).sum();
    }

    private static double quarantined(FleetView view) {
        int count = 0;
        for (ReplicaEntry entry : view.current().entries()) {
            if (!(entry.cell().quarantine() instanceof Quarantine.Clear)) count++;
        }
        return count;
    }

    private static double ageSeconds(FleetView view, long nowNanos) {
        long age = view.ageNanos(nowNanos);
        return age < 0 ? Double.NaN : age / 1e9;
    }
}
