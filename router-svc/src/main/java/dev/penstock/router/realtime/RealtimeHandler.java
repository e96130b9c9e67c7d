package dev.penstock.router.realtime;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Envelope;
import dev.penstock.router.auth.Access;
import dev.penstock.router.auth.Tenant;
import dev.penstock.router.ingress.Gate;
import dev.penstock.router.relay.Placements;
import dev.penstock.router.relay.RelayHeaders;
import dev.penstock.router.relay.Upstreams;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Takes requests for a session. One per event loop. */
public final class RealtimeHandler {
    public static final String PATH = "/v1/realtime";
    private static final int UPGRADE_REQUIRED = 426;

    private final Upstreams upstreams;
    private final Gate gate;
    private final UnaryOperator<String> names;
    private final LongSupplier numbers;
    private final LongFunction<String> ids;

    /**
     * @param names what engines call what clients name
     * @param numbers the next request's
     * @param ids of requests by their numbers
     */
    public RealtimeHandler(
            Upstreams upstreams,
            Gate gate,
            UnaryOperator<String> names,
            LongSupplier numbers,
            LongFunction<String> ids) {
        this.upstreams = upstreams;
        this.gate = gate;
        this.names = names;
        this.numbers = numbers;
        this.ids = ids;
    }

    /** @param uri path and query as the client sent them */
    public void handle(HttpServerRequest request, String uri) {
        long number = numbers.getAsLong();
        String id = ids.apply(number);
        request.response().headers().set(RelayHeaders.REQUEST_ID, id);
        if (!UpgradeHeaders.asked(request)) {
            upgradeRequired(request, "This endpoint is a WebSocket: GET with 'Upgrade: websocket' on HTTP/1.1.");
            return;
        }
        if (!UpgradeHeaders.SPOKEN_VERSION.equals(request.getHeader(UpgradeHeaders.VERSION))) {
            request.response().putHeader(UpgradeHeaders.VERSION, UpgradeHeaders.SPOKEN_VERSION);
            upgradeRequired(request, "The version of WebSocket that is spoken here is 13.");
            return;
        }
        switch (gate.check(request, UpgradeHeaders.credential(request.headers()))) {
            case Access.Refused refused -> Gate.error(refused).send(request, Envelope.OPENAI);
            case Access.Granted granted -> begin(request, uri, number, id, granted.tenant());
        }
    }

    private void begin(HttpServerRequest request, String uri, long number, String id, Tenant tenant) {
        ModelQuery query = ModelQuery.of(uri);
        if (query == null) {
            ApiError.invalidRequest("'model' must be in the query, once.", "model")
                    .send(request, Envelope.OPENAI);
            return;
        }
        String named = names.apply(query.model());
        if (!tenant.allows(query.model(), named)) {
            ApiError.modelNotAllowed(query.model()).send(request, Envelope.OPENAI);
            return;
        }
        String model = upstreams.policies().target(named, upstreams.random());
        Placements placements = new Placements(upstreams, request, number, model);
        new Handshake(upstreams, request, id, query.uriFor(model), placements, model).start();
    }

    private static void upgradeRequired(HttpServerRequest request, String message) {
        request.response().putHeader(UpgradeHeaders.UPGRADE, UpgradeHeaders.WEBSOCKET);
        ApiError.badHttp(UPGRADE_REQUIRED, message).send(request, Envelope.OPENAI);
    }
}
