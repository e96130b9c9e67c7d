package dev.penstock.router.job;

import dev.penstock.kit.metrics.MetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** What became of requests about jobs, and of the index. Any thread. */
public final class JobCounters {
    private static final Result[] RESULTS = Result.values();

    private final Counter[] followUps = new Counter[RESULTS.length];
    private final Counter indexed;
    private final Counter notIndexed;

    /** How a request about a job ended. */
    enum Result {
        /** With what the replica said, whatever that was. */
        RELAYED,
        /** The id is none of ours, or none of this tenant's. */
        NOT_FOUND,
        /** The replica that had it is gone, or was started anew. */
        GONE,
        /** The replica is there and could not be asked, or did not answer. */
        FAILED
    }

    public JobCounters(MeterRegistry meters) {
        for (Result each : RESULTS) {
            followUps[each.ordinal()] = Counter.builder(MetricNames.ROUTER_JOB_REQUESTS)
                    .tag(MetricNames.RESULT_LABEL, each.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
        indexed = index(meters, "ok");
        notIndexed = index(meters, "dropped");
    }

    private static Counter index(MeterRegistry meters, String result) {
        return Counter.builder(MetricNames.ROUTER_JOB_INDEX)
                .tag(MetricNames.RESULT_LABEL, result)
                .register(meters);
    }

    void ended(Result result) {
        followUps[result.ordinal()].increment();
    }

    void indexed(boolean written) {
        (written ? indexed : notIndexed).increment();
    }
}
