package dev.penstock.cli.load;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Answers completions with a stream written by the test. */
final class StreamServer {
    static final String ROLE = event("{\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}");
    static final String DONE = event("[DONE]");
    private final HttpServer server;

    StreamServer(Vertx vertx, Handler<HttpServerRequest> answer) {
        server = vertx.createHttpServer()
                .requestHandler(answer)
                .listen(0, "127.0.0.1")
                .await();
    }

    static String event(String data) {
        return "data: " + data + "\n\n";
    }

    static String token(String text) {
        return event("{\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}");
    }

    static HttpServerResponse begin(HttpServerRequest request) {
        HttpServerResponse response = request.response().setChunked(true);
        response.putHeader("content-type", "text/event-stream").putHeader("x-penstock-replica", "engine-0");
        response.write(ROLE);
        return response;
    }

    static void answer(HttpServerRequest request) {
        HttpServerResponse response = begin(request);
        response.write(token("a"));
        response.write(token("b"));
        response.end(DONE);
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }
}
