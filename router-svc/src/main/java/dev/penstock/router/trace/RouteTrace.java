package dev.penstock.router.trace;

import dev.penstock.kit.trace.TraceKeys;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import org.jspecify.annotations.Nullable;

/** The span of one decision. */
public final class RouteTrace {
    private final Span span;
    private boolean ended;

    RouteTrace(Span span) {
        this.span = span;
    }

    /**
     * Ends it.
     *
     * @param reason the reason code
     * @param replica name of the picked one, or null when the request is refused
     * @param candidates looked at
     * @param excluded from the pool before that
     */
    public void decided(String reason, @Nullable String replica, int candidates, int excluded, boolean degraded) {
        if (ended) return;
        ended = true;
        span.setAttribute(TraceKeys.DECISION, reason)
                .setAttribute(TraceKeys.CANDIDATES, (long) candidates)
                .setAttribute(TraceKeys.EXCLUDED, (long) excluded)
                .setAttribute(TraceKeys.DEGRADED, degraded);
        if (replica != null) span.setAttribute(TraceKeys.REPLICA, replica);
        else span.setStatus(StatusCode.ERROR, reason);
        span.end();
    }
}
