package dev.penstock.router.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.kit.management.ItemPage.Answer;
import dev.penstock.router.config.ManagementUrl;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Asks another router for its page about a request. What it is asked carries {@value #ASKED_BY}, and who was asked so asks
 * nobody in turn: wrong addresses make no loops. Redirects are not followed.
 */
public final class PeerDecisions {
    static final String ASKED_BY = "x-penstock-asked-by";

    private static final int LIMIT_MILLIS = 2_000;
    private static final int MOST_BYTES = 1 << 20;

    /** Per router, and as many that wait: people ask, not machines. */
    private static final int CONNECTIONS = 8;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Vertx vertx;
    private final String router;
    private final boolean tokens;
    private final HttpClient client;

    /**
     * @param router the name of this one
     * @param tokens whether management ports ask for a token; without one the caller's credentials are none of a peer's business
     */
    public PeerDecisions(Vertx vertx, String router, boolean tokens) {
        this.vertx = vertx;
        this.router = router;
        this.tokens = tokens;
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setKeepAlive(false)
                        .setConnectTimeout(LIMIT_MILLIS)
                        .setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(CONNECTIONS));
    }

    /** The peer's answer, status and body; fails with a reason when there is none. */
    Future<Answer> ask(ManagementUrl peer, String id, MultiMap asked) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(peer + "/debug/decisions/" + encoded(id))
                .putHeader(HttpHeaders.ACCEPT.toString(), "application/json")
                .putHeader(ASKED_BY, encoded(router));
        String authorization = asked.get(HttpHeaders.AUTHORIZATION);
        if (tokens && authorization != null) options.putHeader(HttpHeaders.AUTHORIZATION.toString(), authorization);
        return new Question().ask(options);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** One question until its first end, whichever that is. */
    private final class Question {
        private final Promise<Answer> done = Promise.promise();
        private final Buffer body = Buffer.buffer();
        private @Nullable HttpClientRequest request;
        private long timer;

        Future<Answer> ask(RequestOptions options) {
            timer = vertx.setTimer(LIMIT_MILLIS, late -> fail("no whole answer in " + LIMIT_MILLIS + " ms"));
            client.request(options).onSuccess(this::send).onFailure(this::fail);
            return done.future();
        }

        private void send(HttpClientRequest ready) {
            request = ready;
            if (done.future().isComplete()) ready.reset();
            else ready.send().onSuccess(this::read).onFailure(this::fail);
        }

        private void read(HttpClientResponse response) {
            response.exceptionHandler(this::fail);
            response.handler(this::append);
            response.endHandler(end -> answered(response.statusCode()));
        }

        private void append(Buffer part) {
            if (body.length() + part.length() > MOST_BYTES) fail("an answer of more than " + MOST_BYTES + " bytes");
            else if (!done.future().isComplete()) body.appendBuffer(part);
        }

        private void answered(int status) {
            JsonNode page = page();
            if (page == null)
                fail("status " + status + " without a page" + (status == 401 ? ", its token is another" : ""));
            else if (done.tryComplete(new Answer(status, page))) vertx.cancelTimer(timer);
        }

        /** Null when it is none. */
        private @Nullable JsonNode page() {
            try {
                JsonNode page = JSON.readTree(body.getBytes());
                return page.isObject() ? page : null;
            } catch (IOException e) {
                return null;
            }
        }

        private void fail(Throwable failure) {
            String message = failure.getMessage();
            fail(message == null ? failure.getClass().getSimpleName() : message);
        }

        private void fail(String reason) {
            if (!done.tryFail(reason)) return;
            vertx.cancelTimer(timer);
            if (request != null) request.reset();
        }
    }
}
