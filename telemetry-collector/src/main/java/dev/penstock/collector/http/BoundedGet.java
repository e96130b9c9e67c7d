package dev.penstock.collector.http;

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
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * GETs over kept connections, each with a limit in bytes and one in time. A request over a limit is reset, which closes
 * its connection: the engine stops rendering for nobody.
 */
public final class BoundedGet {
    /** The engines' servers end idle connections after 5 s. */
    private static final int IDLE_SECONDS = 4;

    /** One for scrapes, one for questions. */
    private static final int CONNECTIONS = 2;

    private final Vertx vertx;
    private final HttpClient client;

    public BoundedGet(Vertx vertx) {
        this.vertx = vertx;
        client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setKeepAlive(true)
                        .setKeepAliveTimeout(IDLE_SECONDS)
                        .setTcpNoDelay(true)
                        .setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    }

    /** Never fails. Called on an event loop, which the answer comes back on. */
    public Future<Fetched> get(String base, String path, Duration limit, int maxBytes) {
        return new Exchange(maxBytes).start(base + path, limit);
    }

    public Future<Void> close() {
        return client.close();
    }

    /** One request until its first end, whichever that is. */
    private final class Exchange {
        private final int maxBytes;
        private final Promise<Fetched> done = Promise.promise();
        private final Buffer body = Buffer.buffer();
        private @Nullable HttpClientRequest request;
        private long timer;

        Exchange(int maxBytes) {
            this.maxBytes = maxBytes;
        }

        Future<Fetched> start(String url, Duration limit) {
            timer = vertx.setTimer(limit.toMillis(), late -> give("no whole answer in " + limit.toMillis() + " ms"));
            RequestOptions options =
                    new RequestOptions().setMethod(HttpMethod.GET).setConnectTimeout(limit.toMillis());
            try {
                options.setAbsoluteURI(url);
            } catch (RuntimeException e) {
                give("bad address " + url);
                return done.future();
            }
            options.putHeader("accept", "text/plain, application/json");
            client.request(options).onSuccess(this::send).onFailure(this::give);
            return done.future();
        }

        private void send(HttpClientRequest ready) {
            request = ready;
            if (done.future().isComplete()) {
                ready.reset();
                return;
            }
            ready.send().onSuccess(this::read).onFailure(this::give);
        }

        private void read(HttpClientResponse response) {
            response.exceptionHandler(this::give);
            response.handler(this::append);
            response.endHandler(end -> complete(new Fetched.Answer(response.statusCode(), body.getBytes()), false));
        }

        private void append(Buffer part) {
            if (body.length() + part.length() > maxBytes) give("body over " + maxBytes + " bytes");
            else if (!done.future().isComplete()) body.appendBuffer(part);
        }

        private void give(Throwable failure) {
            String text = failure.getMessage();
            give(text == null ? failure.getClass().getSimpleName() : text);
        }

        private void give(String reason) {
            complete(new Fetched.Broken(reason), true);
        }

        private void complete(Fetched result, boolean reset) {
            if (!done.tryComplete(result)) return;
            vertx.cancelTimer(timer);
            if (reset && request != null) request.reset();
        }
    }
}
