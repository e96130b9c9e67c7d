package dev.penstock.router.relay;

import dev.penstock.router.api.Endpoint;
import io.vertx.core.http.HttpServerRequest;

/**
 * What a client asks for, as far as it is known before a decision.
 *
 * @param number the one in the id
 * @param uri what the engine is sent: the client's own path and query, byte for byte
 * @param model as its engines call it
 * @param stream whether the body asked for one
 * @param choices answers asked for
 */
public record Asked(
        HttpServerRequest client,
        long number,
        String id,
        Endpoint endpoint,
        String uri,
        String model,
        boolean stream,
        int choices) {}
