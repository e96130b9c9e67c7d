package dev.penstock.health;

import dev.penstock.model.Outcome;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Answers probes over HTTP, and tells how a client's request would end. Its behaviour is switched. */
final class FakeEngine implements AutoCloseable {
    /** What is wrong with it. */
    enum Mode {
        WELL,
        ERRORS,
        /** 200 with an error in it; its /health would be green. */
        LIES,
        HANGS,
        /** Serves chat only. */
        CHAT_ONLY
    }

    volatile Mode mode = Mode.WELL;
    final AtomicInteger probes = new AtomicInteger();
    volatile String lastPath = "";
    private final HttpServer server;

    FakeEngine(Vertx vertx) throws Exception {
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(5, TimeUnit.SECONDS);
    }

    int port() {
        return server.actualPort();
    }

    /** How a request of a client ends now; null = it does not. */
    @Nullable
    Outcome serve() {
        return switch (mode) {
            case WELL, CHAT_ONLY -> Outcome.OK;
            case ERRORS, LIES -> Outcome.REPLICA_ERROR;
            case HANGS -> null;
        };
    }

    @Override
    public void close() {
        server.close();
    }

    private void handle(HttpServerRequest request) {
        if ("1".equals(request.getHeader("x-penstock-probe"))) probes.incrementAndGet();
        lastPath = request.path();
        String ok = "{\"choices\":[{\"text\":\"a\",\"finish_reason\":\"length\"}]}";
        switch (mode) {
            case WELL -> request.response().end(ok);
            case ERRORS -> request.response().setStatusCode(500).end("{\"error\":{\"message\":\"dead\",\"code\":500}}");
            case LIES -> request.response().end("{\"error\":{\"message\":\"dead\",\"code\":500}}");
            case HANGS -> {}
            case CHAT_ONLY -> {
                boolean chat = request.path().equals("/v1/chat/completions");
                request.response().setStatusCode(chat ? 200 : 404).end(chat ? ok : "{}");
            }
        }
    }
}
