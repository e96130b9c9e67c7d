package dev.penstock.router.relay;

import dev.penstock.model.RelayPolicy;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.auth.Tenant;
import dev.penstock.router.trace.RequestTrace;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for, as far as it is known before a decision.
 *
 * @param number the one in the id
 * @param uri what the engine is sent: the client's own path and query, byte for byte
 * @param model as its engines call it
 * @param stream whether the body asked for one
 * @param choices answers asked for
 * @param contract of the name that the client used: where that is split among models, its time limits are the name's
 * @param trace null for most
 */
public record Asked(
        HttpServerRequest client,
        long number,
        String id,
        Endpoint endpoint,
        String uri,
        String model,
        boolean stream,
        int choices,
        RelayPolicy contract,
        Tenant tenant,
        @Nullable RequestTrace trace) {}
