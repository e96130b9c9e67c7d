package dev.penstock.admission.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.admission.policy.PolicyBook;
import dev.penstock.kit.management.PortTakenException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.BindException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/policies} and {@code GET /v1/policies/{model}}. Answers from the policies that were read back, so that all
 * instances agree. A model's name may stand in the path as it is, slashes included, or encoded.
 */
public final class PolicyApi {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String LIST = "/v1/policies";
    private static final String ONE = LIST + "/";

    private final PolicyBook book;
    private final BooleanSupplier owner;
    private final LongSupplier nanoClock;
    private final @Nullable String authorization;
    private @Nullable HttpServer server;

    /** @param token what a caller must show as bearer token */
    public PolicyApi(PolicyBook book, BooleanSupplier owner, LongSupplier nanoClock, @Nullable String token) {
        this.book = book;
        this.owner = owner;
        this.nanoClock = nanoClock;
        this.authorization = token == null ? null : "Bearer " + token;
    }

    /** @param host where it listens when a token is asked for; without one only on the loopback address */
    public Future<PolicyApi> listen(Vertx vertx, String host, int port) {
        HttpServer http = vertx.createHttpServer().requestHandler(this::handle);
        return http.listen(port, authorization == null ? LOOPBACK : host)
                .map(listening -> {
                    server = listening;
                    return this;
                })
                .recover(failure -> Future.failedFuture(
                        failure instanceof BindException ? new PortTakenException(port, "restPort") : failure));
    }

    public int port() {
        HttpServer listening = server;
        return listening == null ? 0 : listening.actualPort();
    }

    public Future<Void> close() {
        HttpServer listening = server;
        return listening == null ? Future.succeededFuture() : listening.close();
    }

    private void handle(HttpServerRequest request) {
        String path = request.path() == null ? "" : request.path();
        if (!allowed(request)) {
            request.response().putHeader("www-authenticate", "Bearer");
            error(request, 401, "authentication_error", "invalid_token", "The bearer token is missing or wrong.");
        } else if (!path.equals(LIST) && !path.startsWith(ONE)) {
            error(request, 404, "invalid_request_error", "not_found", "There is only " + LIST + ".");
        } else if (!request.method().equals(HttpMethod.GET)) {
            request.response().putHeader("allow", "GET");
            error(request, 405, "invalid_request_error", "method_not_allowed", "Policies can only be read: GET.");
        } else if (path.length() <= ONE.length()) {
            list(request);
        } else {
            one(request, path.substring(ONE.length()));
        }
    }

    private void list(HttpServerRequest request) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ArrayNode data = body.put("object", "list").putArray("data");
        boolean owns = owner.getAsBoolean();
        long now = nanoClock.getAsLong();
        for (PolicyBook.Heard heard : book.view().values()) {
            if (!heard.record().gone()) data.add(PolicyJson.of(heard, owns, now));
        }
        json(request, 200, body);
    }

    private void one(HttpServerRequest request, String encoded) {
        String model = decode(encoded);
        PolicyBook.Heard heard = model == null ? null : book.view().get(model);
        if (heard == null || heard.record().gone()) {
            String shown = encoded.length() <= 100 ? encoded : encoded.substring(0, 100) + "...";
            error(request, 404, "invalid_request_error", "model_not_found", "No policy for model '" + shown + "'.");
        } else {
            json(request, 200, PolicyJson.of(heard, owner.getAsBoolean(), nanoClock.getAsLong()));
        }
    }

    private boolean allowed(HttpServerRequest request) {
        String expected = authorization;
        if (expected == null) return true;
        String seen = request.getHeader("authorization");
        return seen != null && MessageDigest.isEqual(utf8(seen), utf8(expected));
    }

    /** In a path a plus is a plus. Null when it is no encoding. */
    private static @Nullable String decode(String encoded) {
        try {
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static void error(HttpServerRequest request, int status, String type, String code, String message) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("error")
                .put("message", message)
                .put("type", type)
                .putNull("param")
                .put("code", code);
        json(request, status, body);
    }

    private static void json(HttpServerRequest request, int status, ObjectNode body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body.toPrettyString() + "\n");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
