package dev.penstock.router.account;

import dev.penstock.core.pick.Routing;
import dev.penstock.kit.metrics.MetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Decisions by how they came out: one per attempt, refusals included. */
public final class DecisionCounters {
    private static final Routing.Reason[] REASONS = Routing.Reason.values();

    private final Counter[] byReason = new Counter[REASONS.length];
    private final Counter degraded;

    public DecisionCounters(MeterRegistry meters) {
        for (Routing.Reason reason : REASONS) {
            byReason[reason.ordinal()] = Counter.builder(MetricNames.ROUTER_DECISIONS)
                    .tag(MetricNames.REASON_LABEL, reason.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
        degraded = Counter.builder(MetricNames.ROUTER_DEGRADED_DECISIONS).register(meters);
    }

    public void decided(Routing routing) {
        byReason[routing.reason().ordinal()].increment();
        if (routing.shortlist().degraded()) degraded.increment();
    }
}
