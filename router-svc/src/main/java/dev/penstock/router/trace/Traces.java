package dev.penstock.router.trace;

import dev.penstock.kit.trace.TraceKeys;
import dev.penstock.kit.trace.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.vertx.core.MultiMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are traced. A sampled parent's are, an unsampled parent's are not, of the rest a share is drawn, all
 * before anything is made: a request that is not traced has no trace object, and its headers pass as they came. Any
 * thread.
 */
public final class Traces {
    /** Nothing is traced. */
    public static final Traces OFF = new Traces(Tracing.OFF, () -> 1);

    private final @Nullable Tracer tracer;
    private final W3cHeaders headers;
    private final double sample;
    private final DoubleSupplier random;

    /** @param random from 0 to below 1, called on any thread */
    public Traces(Tracing tracing, DoubleSupplier random) {
        this.tracer = tracing.tracer();
        this.headers = new W3cHeaders(tracing.propagator());
        this.sample = tracing.sample();
        this.random = random;
    }

    /**
     * The trace of a request, or null for none.
     *
     * @param client its headers
     * @param operation as the endpoint is named in traces
     * @param startEpochNanos when its head came, or 0 for now
     */
    public @Nullable RequestTrace begin(MultiMap client, String requestId, String operation, long startEpochNanos) {
        Tracer tracer = this.tracer;
        if (tracer == null) return null;
        Context parent = headers.parent(client);
        SpanContext from = Span.fromContext(parent).getSpanContext();
        boolean traced = from.isValid() ? from.isSampled() : random.getAsDouble() < sample;
        if (!traced) return null;
        SpanBuilder builder = tracer.spanBuilder(TraceKeys.REQUEST_SPAN)
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute(TraceKeys.REQUEST_ID, requestId)
                .setAttribute(TraceKeys.OPERATION, operation);
        if (startEpochNanos > 0) builder.setStartTimestamp(startEpochNanos, TimeUnit.NANOSECONDS);
        return new RequestTrace(tracer, headers, builder.startSpan(), operation);
    }
}
