package dev.penstock.router.account;

import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.model.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Attempts by outcome: labels are a closed set, so a client can't add one. */
public final class OutcomeCounters {
    private final Map<Outcome, Counter> byOutcome = new EnumMap<>(Outcome.class);
    private final Counter connectFailures;

    public OutcomeCounters(MeterRegistry meters) {
        for (Outcome outcome : Outcome.values()) {
            byOutcome.put(
                    outcome,
                    Counter.builder(MetricNames.ROUTER_ATTEMPTS)
                            .tag(MetricNames.OUTCOME_LABEL, outcome.name().toLowerCase(Locale.ROOT))
                            .register(meters));
        }
        connectFailures = Counter.builder(MetricNames.ROUTER_ATTEMPTS)
                .tag(MetricNames.OUTCOME_LABEL, "connect_failure")
                .register(meters);
    }

    void ended(Outcome outcome) {
        Counter counter = byOutcome.get(outcome);
        if (counter != null) counter.increment();
    }

    void connectFailed() {
        connectFailures.increment();
    }
}
