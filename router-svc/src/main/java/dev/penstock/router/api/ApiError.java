package dev.penstock.router.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.pick.Routing;
import dev.penstock.router.stream.Framing;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An answer of the router's own, in the envelope of the API it was asked by. The one place where refusals meet HTTP. */
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

    public static ApiError invalidRequest(String message, @Nullable String param) {
        return new ApiError(400, "invalid_request_error", "invalid_request", param, message);
    }

    public static ApiError unknownModel(String model) {
        return new ApiError(
                404,
                "invalid_request_error",
                "model_not_found",
                "model",
                "The model '" + shown(model) + "' does not exist.");
    }

    public static ApiError unknownPath(String path) {
        return new ApiError(404, "invalid_request_error", "not_found", null, "No such endpoint: " + shown(path));
    }

    public static ApiError wrongMethod(String method, String allowed) {
        return new ApiError(
                405,
                "invalid_request_error",
                "method_not_allowed",
                null,
                shown(method) + " is not allowed here; use " + allowed + ".");
    }

    public static ApiError bodyTooLarge(long limit) {
        return new ApiError(
                413,
                "invalid_request_error",
                "request_too_large",
                null,
                "The request body is larger than " + limit + " bytes.");
    }

    public static ApiError routerBusy() {
        return new ApiError(
                429,
                "overloaded_error",
                "router_overloaded",
                null,
                "The router holds as many request bodies as it may; retry shortly.");
    }

    /** What a decision without a replica is answered with. */
    public static ApiError refused(Routing.Reason reason, String model) {
        return switch (reason) {
            case UNKNOWN_MODEL -> unknownModel(model);
            case NO_SLOT -> saturated(429, model);
            case NO_REPLICA, STRATEGY, CONTENDED, PANIC, BOUND -> noHealthyReplica(model);
        };
    }

    private static ApiError noHealthyReplica(String model) {
        return new ApiError(
                503,
                "service_unavailable_error",
                "no_healthy_replica",
                null,
                "No replica of '" + shown(model) + "' can take a request.");
    }

    /** Nothing is known to be served: an empty list would say that nothing is meant to be. */
    public static ApiError noModels() {
        return new ApiError(
                503, "service_unavailable_error", "no_healthy_replica", null, "No model has a replica at the moment.");
    }

    /** A bug of the router's own. */
    public static ApiError internal() {
        return new ApiError(
                500, "internal_error", "router_error", null, "The router failed on this request; its log says why.");
    }

    /** No replica that could be asked could be reached. */
    public static ApiError unreachable(String model) {
        return new ApiError(
                503,
                "service_unavailable_error",
                "replicas_unreachable",
                null,
                "No replica of '" + shown(model) + "' could be reached.");
    }

    /** The request reached an engine, and the engine went away before it answered. */
    public static ApiError upstreamFailed() {
        return new ApiError(
                502, "upstream_error", "upstream_failed", null, "The engine closed the connection before it answered.");
    }

    /** An engine has not said a word for as long as it may. */
    public static ApiError upstreamTimeout() {
        return new ApiError(
                504, "upstream_error", "upstream_timeout", null, "The engine did not answer in the time it may take.");
    }

    /** The time that the request may take is over. */
    public static ApiError deadlineExceeded(long millis) {
        return new ApiError(
                504,
                "timeout_error",
                "deadline_exceeded",
                null,
                "The request was not finished within its deadline of " + millis + " ms.");
    }

    /** Engines said that they are full, in a way that is no error status. */
    public static ApiError saturated(int status, String model) {
        return new ApiError(
                status,
                status == 429 ? "rate_limit_error" : "overloaded_error",
                "replicas_saturated",
                null,
                "The replicas of '" + shown(model) + "' are full. Please retry later.");
    }

    /** The stream broke after its 200 was sent. */
    public static ApiError streamFailed() {
        return new ApiError(
                502, "upstream_error", "upstream_stream_failed", null, "The engine closed the stream before its end.");
    }

    /** A stream was begun by us while the engine was still silent; what came then is none. */
    public static ApiError notAStream() {
        return new ApiError(502, "upstream_error", "upstream_no_stream", null, "The engine answered without a stream.");
    }

    /** An engine's error, where its own words can't be used. */
    public static ApiError ofEngine(int status) {
        return engineSaid(status, "The engine answered " + status + ".");
    }

    static ApiError engineSaid(int status, String message) {
        String type = status == 429
                ? "rate_limit_error"
                : status == 503
                        ? "service_unavailable_error"
                        : status >= 500 ? "upstream_error" : "invalid_request_error";
        return new ApiError(status, type, "engine_" + status, null, message);
    }

    /** The router is stopping, and the request did not end in the time it had. */
    public static ApiError shuttingDown() {
        return new ApiError(
                503, "service_unavailable_error", "router_shutting_down", null, "The router is shutting down; retry.");
    }

    public static ApiError unauthorized(String message) {
        return new ApiError(401, "invalid_request_error", "invalid_api_key", null, message);
    }

    /** Checking keys costs more than it may at the moment. */
    public static ApiError authBusy(String message) {
        return new ApiError(429, "requests", "rate_limit_exceeded", null, message);
    }

    public static ApiError modelNotAllowed(String model) {
        return new ApiError(
                403,
                "permission_error",
                "model_not_allowed",
                "model",
                "This key may not use the model '" + shown(model) + "'.");
    }

    public static ApiError unsupportedEncoding(String encoding) {
        return new ApiError(
                415,
                "invalid_request_error",
                "unsupported_content_encoding",
                null,
                "Content-Encoding '" + shown(encoding) + "' is not supported; send the body as it is.");
    }

    public static ApiError unsupportedType(String type, String expected) {
        return new ApiError(
                415,
                "invalid_request_error",
                "unsupported_content_type",
                null,
                "Content-Type '" + shown(type) + "' is not supported here; expected " + expected + ".");
    }

    /** The body came too slowly. */
    public static ApiError bodyTimeout() {
        return new ApiError(408, "invalid_request_error", "request_timeout", null, "The request body came too slowly.");
    }

    /** A job or stored answer that this router can't lead to anybody. */
    public static ApiError gone(String what) {
        return new ApiError(410, "invalid_request_error", "gone", null, what + " is gone: the replica that had it is.");
    }

    /** What there is can't be listed; each job can be asked for as ever. */
    public static ApiError noJobIndex() {
        return new ApiError(
                503,
                "service_unavailable_error",
                "job_index_unavailable",
                null,
                "The index of jobs can't be read at the moment; jobs can be retrieved by their ids.");
    }

    public static ApiError notFound(String what) {
        return new ApiError(404, "invalid_request_error", "not_found", null, what + " does not exist.");
    }

    /** What HTTP itself forbids: a head too large, a line that is none. */
    public static ApiError badHttp(int status, String message) {
        return new ApiError(status, "invalid_request_error", "bad_request", null, message);
    }

    /** Writes the answer, unless one has begun. */
    public void send(HttpServerRequest request, Envelope envelope) {
        HttpServerResponse response = request.response();
        if (response.headWritten() || response.closed()) return;
        response.setStatusCode(status).putHeader("content-type", "application/json");
        response.putHeader("x-penstock-error", code);
        if (status == 429 || status == 503) {
            long millis = retryAfterMillis == SHORTLY_MILLIS ? shortly() : retryAfterMillis;
            response.putHeader("retry-after", String.valueOf(Math.max(1, (millis + 999) / 1000)));
            response.putHeader("retry-after-ms", String.valueOf(millis));
        }
        // Its client's deadline is spent: SDKs would try again by themselves.
        if (code.equals("deadline_exceeded")) response.putHeader("x-should-retry", "false");
        if (status == 401) response.putHeader("www-authenticate", "Bearer");
        response.end(body(envelope, response.headers().get("x-request-id")));
    }

    /** A second or a quarter more: who was refused together must not come back together. */
    private static long shortly() {
        return SHORTLY_MILLIS + ThreadLocalRandom.current().nextLong(SHORTLY_MILLIS / 4);
    }

    /** The body of the answer. */
    Buffer body(Envelope envelope, @Nullable String requestId) {
        ObjectNode body = JSON.createObjectNode();
        if (envelope == Envelope.ANTHROPIC) {
            body.put("type", "error");
            body.putObject("error").put("type", anthropicType()).put("message", message);
            if (requestId != null) body.put("request_id", requestId);
        } else {
            fill(body.putObject("error"));
        }
        return Buffer.buffer(body.toString());
    }

    /** The event that ends a stream which can't go on: nothing follows it. */
    public String event(Framing framing) {
        ObjectNode data = JSON.createObjectNode();
        return switch (framing) {
            case CHAT, OTHER -> {
                fill(data.putObject("error"));
                yield "data: " + data + "\n\n";
            }
            case MESSAGES -> {
                data.put("type", "error");
                data.putObject("error").put("type", anthropicType()).put("message", message);
                yield "event: error\ndata: " + data + "\n\n";
            }
            case RESPONSES -> {
                data.put("type", "error")
                        .put("code", code)
                        .put("message", message)
                        .putNull("param");
                yield "event: error\ndata: " + data + "\n\n";
            }
        };
    }

    private void fill(ObjectNode error) {
        error.put("message", message).put("type", type).put("param", param).put("code", code);
    }

    private String anthropicType() {
        return switch (status) {
            case 400, 405, 408, 410, 415, 422 -> "invalid_request_error";
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 503, 529 -> "overloaded_error";
            case 504 -> "timeout_error";
            default -> "api_error";
        };
    }

    /** What a client sent, short enough to be repeated. */
    private static String shown(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }
}
