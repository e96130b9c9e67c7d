package dev.penstock.enginesim;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An engine's port: opens it, closes it while running requests go on, and opens the same one again. Used on the engine's
 * event loop; {@link #port} on any thread once open.
 */
final class EngineListener {
    private static final int MAX_LINE_BYTES = 16 * 1024;
    private static final int MAX_HEADER_BYTES = 64 * 1024;
    private static final int MAX_FORM_FIELD_BYTES = 1 << 20;
    /** What uvicorn takes. */
    private static final int MAX_MESSAGE_BYTES = 16 << 20;
    /** Requests of a refusing engine may run as long as they need. */
    private static final long DRAIN_DAYS = 365;

    private static final long CLOSED_CHECK_MILLIS = 1;

    private final Vertx vertx;
    private final String host;
    private final Handler<HttpServerRequest> handler;
    private final KeepAlive keepAlive;
    private final HttpServerOptions options = new HttpServerOptions()
            .setHttp2ClearTextEnabled(false)
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setMaxFormAttributeSize(MAX_FORM_FIELD_BYTES)
            .setMaxFormBufferedBytes(MAX_HEADER_BYTES)
            .setMaxWebSocketFrameSize(MAX_MESSAGE_BYTES)
            .setMaxWebSocketMessageSize(MAX_MESSAGE_BYTES);

    private @Nullable HttpServer server;
    private volatile int port;

    /** @param port 0 = any free one, kept from the first {@link #open} on */
    EngineListener(Vertx vertx, String host, int port, KeepAlive keepAlive, Handler<HttpServerRequest> handler) {
        this.vertx = vertx;
        this.host = host;
        this.port = port;
        this.keepAlive = keepAlive;
        this.handler = handler;
    }

    int port() {
        return port;
    }

    Future<Void> open() {
        if (server != null) {
            return Future.succeededFuture();
        }
        server = newServer();
        return server.listen(port, host)
                .onFailure(_ -> server = null)
                .onSuccess(open -> port = open.actualPort())
                .mapEmpty();
    }

    /** Done when connections are refused; running requests and their connections may still be there. */
    Future<Void> refuse() {
        if (server == null) {
            return Future.succeededFuture();
        }
        server.shutdown(DRAIN_DAYS, TimeUnit.DAYS);
        server = null;
        keepAlive.closeUnused();
        Promise<Void> refusing = Promise.promise();
        completeWhenClosed(refusing);
        return refusing.future();
    }

    /** Port and connections are closed at once, those of a refusing engine too, which its server would leave running. */
    Future<Void> close() {
        Future<Void> closed = server == null ? Future.succeededFuture() : server.close();
        server = null;
        keepAlive.closeAll();
        return closed;
    }

    /** Port closed, connections reset. Done when connections are refused. */
    Future<Void> kill() {
        keepAlive.resetAll();
        HttpServer killed = server;
        if (killed == null) {
            return Future.succeededFuture();
        }
        server = null;
        Promise<Void> refusing = Promise.promise();
        killed.close().onComplete(_ -> completeWhenClosed(refusing));
        return refusing.future();
    }

    /** The listening socket is closed by another thread, soon. */
    private void completeWhenClosed(Promise<Void> refusing) {
        if (Ports.taken(host, port)) {
            vertx.setTimer(CLOSED_CHECK_MILLIS, _ -> completeWhenClosed(refusing));
        } else {
            refusing.complete();
        }
    }

    private HttpServer newServer() {
        return vertx.createHttpServer(options)
                .connectionHandler(keepAlive::opened)
                .requestHandler(request -> {
                    keepAlive.busy(request);
                    handler.handle(request);
                });
    }
}
