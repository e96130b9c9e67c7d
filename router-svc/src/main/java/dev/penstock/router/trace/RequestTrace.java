package dev.penstock.router.trace;

import dev.penstock.kit.trace.TraceKeys;
import dev.penstock.model.Outcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * The span of a client's request, and its children: one per decision, one per attempt. They may end after it: a client that
 * leaves ends the request before the attempt. What is said after the end changes nothing. Lives on the request's event
 * loop.
 */
public final class RequestTrace {
    private final Tracer tracer;
    private final W3cHeaders headers;
    private final Span span;
    private final Context context;
    private final String operation;
    private @Nullable String model;
    private boolean streams;
    private int retries;
    private boolean ended;

    RequestTrace(Tracer tracer, W3cHeaders headers, Span span, String operation) {
        this.tracer = tracer;
        this.headers = headers;
        this.span = span;
        this.context = Context.root().with(span);
        this.operation = operation;
    }

    /** For log lines, and for whoever answers with it. */
    public String traceId() {
        return span.getSpanContext().getTraceId();
    }

    /** What the body asks for, as soon as it is known. */
    public void asksFor(String model, boolean streams) {
        if (ended) return;
        this.model = Words.bounded(model);
        this.streams = streams;
        span.setAttribute(TraceKeys.MODEL, this.model).setAttribute(TraceKeys.STREAM, streams);
    }

    /** A decision begins. */
    public RouteTrace route(String strategy) {
        return new RouteTrace(tracer.spanBuilder(TraceKeys.ROUTE_SPAN)
                .setParent(context)
                .setAttribute(TraceKeys.STRATEGY, strategy)
                .startSpan());
    }

    /**
     * An attempt begins.
     *
     * @param replica its name, never its address
     * @param number 1 for the first
     */
    public AttemptTrace attempt(String replica, int number) {
        SpanBuilder builder = tracer.spanBuilder(TraceKeys.INFERENCE_SPAN)
                .setParent(context)
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(TraceKeys.OPERATION, operation)
                .setAttribute(TraceKeys.PROVIDER, TraceKeys.PENSTOCK)
                .setAttribute(TraceKeys.SERVER_ADDRESS, replica)
                .setAttribute(TraceKeys.ATTEMPT, (long) number)
                .setAttribute(TraceKeys.STREAM, streams);
        if (model != null) builder.setAttribute(TraceKeys.MODEL, model);
        return new AttemptTrace(headers, builder.startSpan());
    }

    /** An attempt ended without an answer for the client, and another follows. */
    public void retried(String why) {
        if (ended) return;
        retries++;
        span.addEvent(TraceKeys.RETRY_EVENT, Attributes.of(TraceKeys.RETRY_REASON, why));
    }

    /**
     * The client's answer is over. What the router could not give it is an error, and so is half an answer; what the client
     * did wrong, or gave up, is not (nor is a 429), by the conventions for servers.
     *
     * @param status sent to the client, or 0 when there was none
     * @param outcome of the last attempt, or null when there was none
     */
    public void ended(int status, @Nullable Outcome outcome) {
        if (ended) return;
        ended = true;
        if (status > 0) span.setAttribute(TraceKeys.STATUS_CODE, (long) status);
        if (retries > 0) span.setAttribute(TraceKeys.RETRIES, (long) retries);
        if (outcome != null) span.setAttribute(TraceKeys.OUTCOME, Words.of(outcome));
        if (status >= 500 || isRoutersFault(outcome)) {
            String type = outcome == null || outcome == Outcome.OK ? String.valueOf(status) : Words.of(outcome);
            span.setAttribute(TraceKeys.ERROR_TYPE, type);
            span.setStatus(StatusCode.ERROR, Words.failure(type, status));
        }
        span.end();
    }

    private static boolean isRoutersFault(@Nullable Outcome outcome) {
        if (outcome == null) return false;
        return switch (outcome) {
            case OK, CLIENT_ERROR, CLIENT_ABORT, BACKPRESSURE -> false;
            case UNKNOWN, DEADLINE, REPLICA_ERROR, INCOMPLETE_STREAM, STALLED -> true;
        };
    }
}
