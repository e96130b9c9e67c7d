package dev.penstock.collector.kvevents;

import dev.penstock.kit.metrics.MetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What went wrong with KV events. Any thread. */
final class KvCounters {
    private final Counter malformed;
    private final Counter gaps;
    private final Counter leftOut;

    KvCounters(MeterRegistry meters) {
        malformed = meters.counter(MetricNames.COLLECTOR_KV_MALFORMED);
        gaps = meters.counter(MetricNames.COLLECTOR_KV_GAPS);
        leftOut = meters.counter(MetricNames.COLLECTOR_KV_LEFT_OUT);
    }

    void malformed() {
        malformed.increment();
    }

    void gaps(long count) {
        gaps.increment(count);
    }

    void leftOut(long count) {
        leftOut.increment(count);
    }
}
