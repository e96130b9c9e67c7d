package dev.penstock.cli;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The control server of a stack that is this JVM; it answers every call the same way. */
final class ControlServer implements AutoCloseable {
    final List<String> calls = new CopyOnWriteArrayList<>();
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;

    ControlServer(int status, String answer) {
        server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    calls.add(request.method() + " " + request.path() + " " + body);
                    request.response().setStatusCode(status).end(answer);
                }))
                .listen(0, "127.0.0.1")
                .await();
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    void writeRunFile(Path data) throws IOException {
        writeRunFile(data, "http://127.0.0.1:8081");
    }

    void writeRunFile(Path data, String managementUrl) throws IOException {
        Files.writeString(data.resolve("run.json"), """
            {"pid":%d,"ready":true,"startedAt":"%s","controlUrl":"%s","model":"m",
             "routers":[{"name":"router-0","url":"%s","managementUrl":"%s"}],
             "engines":[{"name":"engine-0","url":"%s"}],"later":1}
            """.formatted(
                        ProcessHandle.current().pid(), Instant.now(), url(), url(), managementUrl, url()));
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
