package dev.penstock.router.prefix;

import dev.penstock.kit.metrics.MetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What prefixes are worth, and how they get about. Any thread. */
public final class PrefixCounters {
    private final Counter hitBytes;
    private final Counter missBytes;
    final Counter told;
    final Counter heard;
    final Counter dropped;

    public PrefixCounters(MeterRegistry meters) {
        hitBytes = counter(meters, MetricNames.ROUTER_PREFIX_BYTES, "hit");
        missBytes = counter(meters, MetricNames.ROUTER_PREFIX_BYTES, "miss");
        told = counter(meters, MetricNames.ROUTER_PREFIX_BLOCKS, "told");
        heard = counter(meters, MetricNames.ROUTER_PREFIX_BLOCKS, "heard");
        dropped = counter(meters, MetricNames.ROUTER_PREFIX_BLOCKS, "dropped");
    }

    private static Counter counter(MeterRegistry meters, String name, String result) {
        return Counter.builder(name).tag(MetricNames.RESULT_LABEL, result).register(meters);
    }

    /** A prompt went to a replica that is taken to have that share of it, in thousandths. */
    public void sent(int promptBytes, int hitMilli) {
        double hit = promptBytes * hitMilli / 1e3;
        hitBytes.increment(hit);
        missBytes.increment(promptBytes - hit);
    }
}
