package dev.penstock.router.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.vertx.core.MultiMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code traceparent} and {@code tracestate} of W3C Trace Context, in and out. {@code baggage} is not ours: it passes. */
final class W3cHeaders {
    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";

    private final TextMapPropagator propagator;

    W3cHeaders(TextMapPropagator propagator) {
        this.propagator = propagator;
    }

    /** The root where there is no parent, or none that can be read: then {@code tracestate} means nothing either. */
    Context parent(MultiMap client) {
        if (!client.contains(PARENT)) return Context.root();
        return propagator.extract(Context.root(), client, Getter.ALL);
    }

    /** Replaces what the client said; its {@code tracestate} goes where its trace does not continue. */
    void inject(Context span, MultiMap upstream) {
        upstream.remove(STATE);
        propagator.inject(span, upstream, MultiMap::set);
    }

    private enum Getter implements TextMapGetter<MultiMap> {
        ALL;

        @Override
        public Iterable<String> keys(MultiMap carrier) {
            return carrier.names();
        }

        /** Two parents are none; several states are one list (RFC 9110, 5.3). */
        @Override
        public @Nullable String get(@Nullable MultiMap carrier, String key) {
            if (carrier == null) return null;
            List<String> values = carrier.getAll(key);
            if (values.isEmpty()) return null;
            if (values.size() == 1) return values.getFirst();
            return key.equals(PARENT) ? null : String.join(",", values);
        }
    }
}
