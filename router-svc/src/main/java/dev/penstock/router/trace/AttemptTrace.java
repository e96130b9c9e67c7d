package dev.penstock.router.trace;

import dev.penstock.kit.trace.TraceKeys;
import dev.penstock.model.Outcome;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.vertx.core.MultiMap;

/** The span of one attempt at one replica: the first ending counts. Lives on the request's event loop. */
public final class AttemptTrace {
    private final W3cHeaders headers;
    private final Span span;
    private boolean answering;
    private boolean ended;

    AttemptTrace(W3cHeaders headers, Span span) {
        this.headers = headers;
        this.span = span;
    }

    /** Makes the engine's spans children of this one, after the client's headers were copied: theirs are replaced. */
    public void inject(MultiMap upstream) {
        headers.inject(Context.root().with(span), upstream);
    }

    /** The first byte of the answer's body. */
    public void firstByte() {
        if (answering || ended) return;
        answering = true;
        span.addEvent(TraceKeys.FIRST_BYTE_EVENT);
    }

    /**
     * The engine had the request, or the client left.
     *
     * @param status the engine's, or 0 when there was none
     * @param inputTokens as the engine counted them, or -1
     * @param outputTokens likewise
     */
    public void ended(Outcome outcome, int status, long inputTokens, long outputTokens) {
        if (ended) return;
        if (inputTokens >= 0) span.setAttribute(TraceKeys.INPUT_TOKENS, inputTokens);
        if (outputTokens >= 0) span.setAttribute(TraceKeys.OUTPUT_TOKENS, outputTokens);
        boolean failed = outcome != Outcome.OK && outcome != Outcome.CLIENT_ABORT;
        end(Words.of(outcome), status, failed);
    }

    /**
     * No engine had the request.
     *
     * @param why {@link TraceKeys#CONNECT_FAILURE} or {@link TraceKeys#CONNECTION_RESET}
     */
    public void unanswered(String why) {
        if (!ended) end(why, 0, true);
    }

    private void end(String outcome, int status, boolean failed) {
        ended = true;
        span.setAttribute(TraceKeys.OUTCOME, outcome);
        if (status > 0) span.setAttribute(TraceKeys.STATUS_CODE, (long) status);
        if (failed) {
            span.setAttribute(TraceKeys.ERROR_TYPE, outcome);
            span.setStatus(StatusCode.ERROR, Words.failure(outcome, status));
        }
        span.end();
    }
}
