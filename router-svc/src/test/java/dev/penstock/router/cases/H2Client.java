package dev.penstock.router.cases;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A client that begins with HTTP/2 in clear text; all its requests go over one connection. */
final class H2Client implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client;
    private final int port;

    /**
     * One answer.
     *
     * @param failure why its stream ended before its end, or null
     */
    record Got(
            HttpClientResponse head, String body, @Nullable Throwable failure) {}

    H2Client(int port) {
        this.port = port;
        client = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
    }

    Got post(String target, String body, String... headerLines)
            throws ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture<Got> got = new CompletableFuture<>();
        Future<HttpClientRequest> connected = client.request(HttpMethod.POST, port, "127.0.0.1", target);
        connected
                .compose(request -> {
                    request.putHeader("content-type", "application/json");
                    for (String line : headerLines) {
                        int colon = line.indexOf(':');
                        request.headers()
                                .add(
                                        line.substring(0, colon),
                                        line.substring(colon + 1).strip());
                    }
                    return request.send(Buffer.buffer(body));
                })
                .onFailure(got::completeExceptionally)
                .onSuccess(response -> collect(response, got));
        return got.get(10, TimeUnit.SECONDS);
    }

    private static void collect(HttpClientResponse response, CompletableFuture<Got> got) {
        Buffer body = Buffer.buffer();
        response.handler(body::appendBuffer);
        response.exceptionHandler(
                failure -> got.complete(new Got(response, body.toString(StandardCharsets.UTF_8), failure)));
        response.endHandler(end -> got.complete(new Got(response, body.toString(StandardCharsets.UTF_8), null)));
    }

    @Override
    public void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
