package dev.penstock.cli.load;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A second of load on a server of its own, before the real one: a JVM that still loads classes and compiles is late by
 * half a second, and counted from the schedule that is the p99 of a short load. The system under test sees none of it.
 */
public final class Rehearsal {
    private static final Duration LENGTH = Duration.ofMillis(1000);
    private static final int WORKERS = 16;
    private static final int TOKENS = 16;

    private Rehearsal() {}

    public static void run(Vertx vertx) {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(Rehearsal::answer)
                .listen(0, "127.0.0.1")
                .await();
        TokenCount tokens = new TokenCount(TOKENS, TOKENS);
        LoadPlan plan = new LoadPlan(
                List.of("http://127.0.0.1:" + server.actualPort()),
                List.of(),
                0,
                WORKERS,
                LENGTH,
                "rehearsal",
                tokens,
                tokens,
                true,
                1,
                LENGTH.multipliedBy(10));
        CompletableFuture<LoadReport> done = LoadGenerator.start(vertx, plan).report();
        Future.fromCompletionStage(done).await();
        server.close().await();
    }

    private static void answer(HttpServerRequest request) {
        HttpServerResponse response = request.response().setChunked(true);
        for (int i = 0; i < TOKENS; i++) response.write("data: {\"choices\":[{\"delta\":{\"content\":\"t\"}}]}\n\n");
        response.end("data: [DONE]\n\n");
    }
}
