package dev.penstock.health.probe;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * POSTs, each on a connection of its own, so that no kept connection answers for the engine, with a limit in bytes and one
 * in time. What is over a limit is reset, which frees the engine of it.
 */
final class BoundedPost {
    private static final int MAX_BYTES = 1 << 20;
    private static final int CONNECTIONS = 2;

    private final Vertx vertx;
    private final HttpClient client;

    BoundedPost(Vertx vertx) {
        this.vertx = vertx;
        client = vertx.createHttpClient(
                new HttpClientOptions().setKeepAlive(false).setTcpNoDelay(true).setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    }

    /** Never fails. Called on an event loop, which the answer comes back on. */
    Future<ProbeAnswer> post(String url, byte[] body, Duration limit) {
        return new Exchange().start(url, body, limit);
    }

    Future<Void> close() {
        return client.close();
    }

    /** One request until its first end, whichever that is. */
    private final class Exchange {
        private final Promise<ProbeAnswer> done = Promise.promise();
        private final Buffer answer = Buffer.buffer();
        private @Nullable HttpClientRequest request;
        private long timer;

        Future<ProbeAnswer> start(String url, byte[] body, Duration limit) {
            timer = vertx.setTimer(limit.toMillis(), late -> complete(new ProbeAnswer.Late(request != null), true));
            RequestOptions options =
                    new RequestOptions().setMethod(HttpMethod.POST).setConnectTimeout(limit.toMillis());
            try {
                options.setAbsoluteURI(url);
            } catch (RuntimeException e) {
                complete(new ProbeAnswer.Unreachable("bad address " + url), false);
                return done.future();
            }
            options.putHeader("content-type", "application/json").putHeader("x-penstock-probe", "1");
            client.request(options)
                    .onSuccess(ready -> send(ready, body))
                    .onFailure(failure -> complete(new ProbeAnswer.Unreachable(text(failure)), true));
            return done.future();
        }

        private void send(HttpClientRequest ready, byte[] body) {
            request = ready;
            if (done.future().isComplete()) {
                ready.reset();
                return;
            }
            ready.send(Buffer.buffer(body)).onSuccess(this::read).onFailure(this::broke);
        }

        private void read(HttpClientResponse response) {
            response.exceptionHandler(this::broke);
            response.handler(this::append);
            response.endHandler(
                    end -> complete(new ProbeAnswer.Whole(response.statusCode(), answer.getBytes()), false));
        }

        private void append(Buffer part) {
            if (answer.length() + part.length() > MAX_BYTES) {
                complete(new ProbeAnswer.Broken("body over " + MAX_BYTES + " bytes"), true);
            } else if (!done.future().isComplete()) {
                answer.appendBuffer(part);
            }
        }

        private void broke(Throwable failure) {
            boolean network = failure instanceof IOException || failure.getCause() instanceof UnknownHostException;
            complete(
                    network ? new ProbeAnswer.Unreachable(text(failure)) : new ProbeAnswer.Broken(text(failure)), true);
        }

        private void complete(ProbeAnswer result, boolean reset) {
            if (!done.tryComplete(result)) return;
            vertx.cancelTimer(timer);
            if (reset && request != null) request.reset();
        }
    }

    private static String text(Throwable failure) {
        String text = failure.getMessage();
        return text == null ? failure.getClass().getSimpleName() : text;
    }
}
