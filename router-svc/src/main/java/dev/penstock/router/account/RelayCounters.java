package dev.penstock.router.account;

import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.router.stream.Notes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** What the relay tells of itself beside outcomes: second tries, tokens, events. Labels are closed sets. */
public final class RelayCounters {
    private final Counter[] retries;
    private final Counter budgetSpent;
    private final Counter promptTokens;
    private final Counter completionTokens;
    private final Counter events;

    /** @param why names of the reasons for which a request is tried elsewhere, by their ordinals */
    public RelayCounters(MeterRegistry meters, Enum<?>[] why) {
        retries = new Counter[why.length];
        for (Enum<?> each : why) {
            retries[each.ordinal()] = Counter.builder(MetricNames.ROUTER_RETRIES)
                    .tag(MetricNames.REASON_LABEL, each.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
        budgetSpent = Counter.builder(MetricNames.ROUTER_RETRIES_REFUSED).register(meters);
        promptTokens = tokens(meters, "prompt");
        completionTokens = tokens(meters, "completion");
        events = Counter.builder(MetricNames.ROUTER_STREAM_EVENTS).register(meters);
    }

    private static Counter tokens(MeterRegistry meters, String kind) {
        return Counter.builder(MetricNames.ROUTER_TOKENS)
                .tag(MetricNames.KIND_LABEL, kind)
                .register(meters);
    }

    /** A request is tried elsewhere. */
    public void retried(Enum<?> why) {
        retries[why.ordinal()].increment();
    }

    /** A request could have been tried elsewhere, had there been fewer before it. */
    public void budgetSpent() {
        budgetSpent.increment();
    }

    /** What an answer said of itself. */
    public void used(Notes notes) {
        if (notes.promptTokens() > 0) promptTokens.increment(notes.promptTokens());
        if (notes.completionTokens() > 0) completionTokens.increment(notes.completionTokens());
        if (notes.events() > 0) events.increment(notes.events());
    }
}
