package dev.penstock.router.ingress;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.pick.Routing;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An answer of the router's own, in OpenAI's envelope. The one place where refusals meet HTTP. */
public record ApiError(
        int status, String type, String code, @Nullable String param, String message, long retryAfterMillis) {
    private static final long LEAST_RETRY_MILLIS = 250;
    private static final long MOST_RETRY_MILLIS = 30_000;
    private static final long SHORTLY_MILLIS = 1_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Without a wait of its own; 429 and 503 say one second. */
    ApiError(int status, String type, String code, @Nullable String param, String message) {
        this(status, type, code, param, message, SHORTLY_MILLIS);
    }

    /**
     * The router's share of the model's rate is used up.
     *
     * @param waitNanos until a request would pass; {@code Long.MAX_VALUE} when the router has no share yet
     */
    public static ApiError rateLimited(String model, long waitNanos, RandomGenerator random) {
        long millis = waitNanos == Long.MAX_VALUE ? SHORTLY_MILLIS : waitNanos / 1_000_000;
        // Jitter upward only, by a quarter at most: clients that were refused together must not return together.
        long jittered = (long) (Math.max(LEAST_RETRY_MILLIS, millis) * (1 + 0.25 * random.nextDouble()));
        return new ApiError(
                429,
                "requests",
                "rate_limit_exceeded",
                null,
                "Rate limit reached for '" + shown(model) + "'. Please retry later.",
                Math.min(MOST_RETRY_MILLIS, jittered));
    }

    static ApiError invalidRequest(String message, @Nullable String param) {
        return new ApiError(400, "invalid_request_error", "invalid_request", param, message);
    }

    static ApiError unknownModel(String model) {
        return new ApiError(
                404,
                "invalid_request_error",
                "model_not_found",
                "model",
                "The model '" + shown(model) + "' does not exist.");
    }

    static ApiError unknownPath(String path) {
        return new ApiError(404, "invalid_request_error", "not_found", null, "No such endpoint: " + shown(path));
    }

    static ApiError wrongMethod(String method, String allowed) {
        return new ApiError(
                405,
                "invalid_request_error",
                "method_not_allowed",
                null,
                shown(method) + " is not allowed here; use " + allowed + ".");
    }

    static ApiError bodyTooLarge(long limit) {
        return new ApiError(
                413,
                "invalid_request_error",
                "request_too_large",
                null,
                "The request body is larger than " + limit + " bytes.");
    }

    static ApiError routerBusy() {
        return new ApiError(
                429,
                "overloaded_error",
                "router_overloaded",
                null,
                "The router holds as many request bodies as it may; retry shortly.");
    }

    /** What a decision without a replica is answered with. */
    public static ApiError refused(Routing.Reason reason, String model) {
        return reason == Routing.Reason.UNKNOWN_MODEL ? unknownModel(model) : noHealthyReplica(model);
    }

    private static ApiError noHealthyReplica(String model) {
        return new ApiError(
                503,
                "service_unavailable_error",
                "no_healthy_replica",
                null,
                "No replica of '" + shown(model) + "' can take a request.");
    }

    /** A bug of the router's own. */
    static ApiError internal() {
        return new ApiError(
                500, "internal_error", "router_error", null, "The router failed on this request; its log says why.");
    }

    /** The request reached an engine, and the engine went away before it answered. */
    public static ApiError upstreamFailed() {
        return new ApiError(
                502, "upstream_error", "upstream_failed", null, "The engine closed the connection before it answered.");
    }

    /** The error event of a stream that broke after its 200 was sent: no {@code [DONE]} follows. */
    public static Buffer streamFailedEvent() {
        return Buffer.buffer("data: {\"error\":{\"message\":\"The engine closed the stream before its"
                + " end.\",\"type\":\"upstream_error\",\"param\":null,\"code\":\"upstream_stream_failed\"}}\n\n");
    }

    /** Writes the answer, unless one has begun. */
    public void send(HttpServerResponse response) {
        if (response.headWritten() || response.closed()) return;
        ObjectNode envelope = JSON.createObjectNode();
        envelope.putObject("error")
                .put("message", message)
                .put("type", type)
                .put("param", param)
                .put("code", code);
        response.setStatusCode(status).putHeader("content-type", "application/json");
        if (status == 429 || status == 503) {
            response.putHeader("retry-after", String.valueOf(Math.max(1, (retryAfterMillis + 999) / 1000)));
            response.putHeader("retry-after-ms", String.valueOf(retryAfterMillis));
        }
        response.end(Buffer.buffer(envelope.toString()));
    }

    /** What a client sent, short enough to be repeated. */
    private static String shown(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }
}
