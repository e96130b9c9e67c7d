package dev.penstock.enginesim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.http.HttpServerRequest;

/** JSON answers of the control paths. */
final class ControlReply {
    private ControlReply() {}

    static void send(HttpServerRequest request, int status, JsonNode json) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(json.toString());
    }

    static void fail(HttpServerRequest request, int status, String message) {
        send(request, status, JsonNodeFactory.instance.objectNode().put("error", message));
    }
}
