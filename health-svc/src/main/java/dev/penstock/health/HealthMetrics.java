package dev.penstock.health;

import dev.penstock.core.health.ProbeResult;
import dev.penstock.model.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Names and meters of health-svc. Written on its context, read by any thread. */
public final class HealthMetrics {
    /** Deep probes. Label: result (passed, busy, failed, unreachable). */
    public static final String PROBES = "penstock_health_probes_total";

    /** Replicas by verdict, as this instance knows them. Label: verdict. */
    public static final String REPLICAS = "penstock_health_replicas";

    /** Changes of verdicts by what they became. Label: verdict. */
    public static final String TRANSITIONS = "penstock_health_transitions_total";

    /** 1 while this instance owns the verdicts. */
    public static final String OWNER = "penstock_health_owner";

    public static final String RESULT_LABEL = "result";
    public static final String VERDICT_LABEL = "verdict";

    private static final List<String> VERDICTS =
            List.of("unknown", "healthy", "suspect", "ejected_hard", "ejected_soft", "half_open", "ramp");

    private final Map<ProbeResult.Kind, Counter> probes = new EnumMap<>(ProbeResult.Kind.class);
    private final Map<String, Counter> transitions = new LinkedHashMap<>();
    private final AtomicInteger owner = new AtomicInteger();
    private final Map<String, AtomicInteger> replicas = new LinkedHashMap<>();

    public HealthMetrics(MeterRegistry meters) {
        for (ProbeResult.Kind kind : ProbeResult.Kind.values()) {
            String result = kind.name().toLowerCase(Locale.ROOT);
            probes.put(kind, meters.counter(PROBES, RESULT_LABEL, result));
        }
        for (String verdict : VERDICTS) {
            transitions.put(verdict, meters.counter(TRANSITIONS, VERDICT_LABEL, verdict));
            AtomicInteger count = new AtomicInteger();
            replicas.put(verdict, count);
            Gauge.builder(REPLICAS, count, AtomicInteger::get)
                    .tag(VERDICT_LABEL, verdict)
                    .register(meters);
        }
        Gauge.builder(OWNER, owner, AtomicInteger::get).register(meters);
    }

    public void probed(ProbeResult result) {
        Counter counter = probes.get(result.kind());
        if (counter != null) counter.increment();
    }

    public void became(Verdict verdict) {
        Counter counter = transitions.get(label(verdict));
        if (counter != null) counter.increment();
    }

    public void count(boolean owns, Map<String, Integer> verdictToReplicas) {
        owner.set(owns ? 1 : 0);
        replicas.forEach((verdict, count) -> count.set(verdictToReplicas.getOrDefault(verdict, 0)));
    }

    public static String label(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Unknown v -> "unknown";
            case Verdict.Healthy v -> "healthy";
            case Verdict.Suspect v -> "suspect";
            case Verdict.Ejected v -> v.severity() == Verdict.Severity.HARD ? "ejected_hard" : "ejected_soft";
            case Verdict.HalfOpen v -> "half_open";
            case Verdict.Ramp v -> "ramp";
        };
    }
}
