package dev.penstock.collector;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;

/** A page and a list of models, served over HTTP. */
public final class FakeEngine implements AutoCloseable {
    /** How the metrics paths answer. */
    public enum Mode {
        WELL,
        NO_FILTER,
        HUGE,
        HUNG,
        CUT,
        HTML,
        BROKEN,
        GZIP,
        NOT_FOUND,
        NO_CONTENT
    }

    public final List<String> asked = new CopyOnWriteArrayList<>();
    public volatile Mode mode = Mode.WELL;
    public volatile List<String> adapters = List.of();
    private final AtomicLong steps = new AtomicLong(100);
    private final HttpServer server;
    private final String model;

    public FakeEngine(Vertx vertx, String model) throws Exception {
        this.model = model;
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(5, TimeUnit.SECONDS);
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    @Override
    public void close() {
        server.close();
    }

    private void handle(HttpServerRequest request) {
        asked.add(request.path());
        if (request.path().equals("/v1/models")) {
            StringBuilder list = new StringBuilder("{\"data\":[{\"id\":\"" + model + "\"}");
            for (String name : adapters) list.append(",{\"id\":\"" + name + "\",\"parent\":\"" + model + "\"}");
            request.response().end(list.append("]}").toString());
            return;
        }
        boolean filtered = request.path().equals("/metrics/");
        switch (mode) {
            case WELL -> request.response().end(page());
            case NO_FILTER -> request.response().end(filtered ? "" : page());
            case HUGE -> request.response().end(page() + "x 1\n".repeat(2_000_000));
            case HUNG -> request.response().setChunked(true).write(page());
            case CUT ->
                request.response()
                        .putHeader("content-length", "9999")
                        .write(page())
                        .onComplete(written -> request.connection().close());
            case HTML -> request.response().end("<html></html>");
            case BROKEN -> request.response().setStatusCode(500).end(page());
            case GZIP ->
                request.response().putHeader("content-encoding", "gzip").end(Buffer.buffer(gzip(page())));
            case NOT_FOUND -> request.response().setStatusCode(404).end(page());
            case NO_CONTENT -> request.response().setStatusCode(204).end();
        }
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.toByteArray();
    }

    private String page() {
        return "vllm:num_requests_running{engine=\"0\"} 2.0\n"
                + "vllm:num_requests_waiting{engine=\"0\"} 1.0\n"
                + "vllm:kv_cache_usage_perc{engine=\"0\"} 0.5\n"
                + "vllm:iteration_tokens_total_count{engine=\"0\"} " + steps.incrementAndGet() + ".0\n";
    }
}
