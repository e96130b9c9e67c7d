package dev.penstock.router.ingress;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Envelope;
import dev.penstock.router.relay.Watch;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * Answers a request whose body is not wanted. A client that is still sending must be able to read the answer: closing on it
 * would reset the connection, and the answer with it. So the rest is read and dropped, for a while; then the connection closes.
 */
final class Refused extends Watch.Member {
    private static final long LINGER_NANOS = 10_000_000_000L;

    private final HttpServerRequest request;
    private final Watch watch;
    private long sinceNanos;

    private Refused(HttpServerRequest request, Watch watch) {
        this.request = request;
        this.watch = watch;
    }

    static void send(HttpServerRequest request, ApiError error, Envelope envelope, Watch watch) {
        boolean waits = request.headers().contains(Headers.EXPECT);
        if (waits && request.version() != HttpVersion.HTTP_2) {
            // It sends nothing before it is told to, and it is not.
            request.response().putHeader("connection", "close");
            error.send(request, envelope);
            request.connection().close();
            return;
        }
        error.send(request, envelope);
        dropRest(request, watch);
    }

    /** The answer is sent, or will be at once. */
    static void dropRest(HttpServerRequest request, Watch watch) {
        if (request.isEnded() || request.version() == HttpVersion.HTTP_2) return;
        new Refused(request, watch).drop();
    }

    private void drop() {
        request.handler(dropped -> {});
        request.exceptionHandler(gone -> watch.leave(this));
        request.endHandler(end -> watch.leave(this));
        watch.join(this);
        request.resume();
    }

    @Override
    protected HttpConnection connection() {
        return request.connection();
    }

    @Override
    protected void look(long nowNanos) {
        if (sinceNanos == 0) sinceNanos = nowNanos;
        if (nowNanos - sinceNanos < LINGER_NANOS) return;
        watch.leave(this);
        request.connection().close();
    }
}
