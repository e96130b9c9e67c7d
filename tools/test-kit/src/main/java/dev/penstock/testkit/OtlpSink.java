package dev.penstock.testkit;

import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A collector of traces on the loopback address: takes what is posted to {@code /v1/traces} and tells it decoded. Spans are
 * there once their sender has been closed. Any thread.
 */
public final class OtlpSink implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();
    private final AtomicInteger posts = new AtomicInteger();
    private volatile int status = 200;

    private OtlpSink(HttpServer server) {
        this.server = server;
    }

    public static OtlpSink start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            OtlpSink sink = new OtlpSink(server);
            server.setExecutor(sink.threads);
            server.createContext("/v1/traces", sink::take);
            server.start();
            return sink;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For {@code tracing.otlpEndpoint}. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** What it answers from here on; spans are kept with 200 only. */
    public void answerWith(int status) {
        this.status = status;
    }

    /** In the order they came. */
    public List<ReceivedSpan> spans() {
        return List.copyOf(spans);
    }

    /** The one of that name. */
    public ReceivedSpan only(String name) {
        List<ReceivedSpan> named = all(name);
        if (named.size() != 1) throw new AssertionError(named.size() + " spans " + name + " of " + spans);
        return named.getFirst();
    }

    public List<ReceivedSpan> all(String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    public int posts() {
        return posts.get();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            posts.incrementAndGet();
            exchange.sendResponseHeaders(isOtlp(exchange) ? answer(body) : 415, -1);
        }
    }

    private int answer(byte[] body) {
        if (status != 200) return status;
        try {
            return spans.addAll(OtlpSpans.parse(body)) ? 200 : 400;
        } catch (InvalidProtocolBufferException e) {
            return 400;
        }
    }

    private static boolean isOtlp(HttpExchange exchange) {
        return "application/x-protobuf".equals(exchange.getRequestHeaders().getFirst("content-type"));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
