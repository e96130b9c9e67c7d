package dev.penstock.router.relay;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;

/** The body of a request on its way to an engine. */
public interface Cargo {
    /** Whether it can be sent again, to somebody else, once some of it was sent. */
    boolean replayable();

    /** Bytes known so far: what a prompt's length is guessed from. */
    long bytes();

    /**
     * Sends head and body; the answer may come before all of it is sent. To be called once more only where
     * {@link #replayable}.
     *
     * @param upstreamId what the engine shall call this attempt, where its body can say so
     */
    Future<HttpClientResponse> send(HttpClientRequest request, UpstreamId upstreamId);

    /** Nothing of it is kept: a pooled connection that its engine closes just then would lose it. */
    default boolean sentOnce() {
        return false;
    }

    /** True while the client's next bytes are waited for: an engine's silence says nothing of it. */
    default boolean coming() {
        return false;
    }

    /** True once all of it is with the engine: before, only closing the connection tells it that nobody waits. */
    boolean sent();

    /** The request is over: lets go of the bytes. More often than once does no harm. */
    void release();

    /**
     * The name of one attempt.
     *
     * @param inBody the engine is told in the body (SGLang's {@code rid}), because it stops a request by that name
     */
    record UpstreamId(String text, boolean inBody) {}
}
