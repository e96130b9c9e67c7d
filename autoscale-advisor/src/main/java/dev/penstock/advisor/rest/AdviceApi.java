package dev.penstock.advisor.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.advisor.advice.Recommendations;
import dev.penstock.core.scale.ServingRule;
import dev.penstock.kit.management.PortTakenException;
import dev.penstock.model.PoolId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.BindException;
import java.util.TreeMap;

/** {@code GET /v1/pools} and {@code GET /v1/pools/{namespace}/{pool}/recommendation}. It only recommends. */
public final class AdviceApi {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String ONE = "/v1/pools/:namespace/:pool/recommendation";
    private static final String ALL = "/v1/pools";

    private final Recommendations recommendations;
    private final Counted counted;

    /** Told of each answer about a pool. */
    @FunctionalInterface
    public interface Counted {
        void answered(ServingRule.Answer answer);
    }

    public AdviceApi(Recommendations recommendations, Counted counted) {
        this.recommendations = recommendations;
        this.counted = counted;
    }

    /** On the context it is called on; everything it reads is written there. */
    public Future<HttpServer> listen(Vertx vertx, String host, int port) {
        Router router = Router.router(vertx);
        router.route(HttpMethod.GET, ALL).handler(this::list);
        router.route(HttpMethod.GET, ONE).handler(this::recommendation);
        router.route(ALL).handler(AdviceApi::onlyGet);
        router.route(ONE).handler(AdviceApi::onlyGet);
        router.route().handler(request -> problem(request, 404, "no such path, expected " + ALL + " or " + ONE));
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(port, host)
                .recover(failure -> Future.failedFuture(
                        failure instanceof BindException ? new PortTakenException(port, "advisor.restPort") : failure));
    }

    private void list(RoutingContext request) {
        ArrayNode pools = JSON.arrayNode();
        for (PoolId pool : recommendations.pools()) {
            ObjectNode node = pools.addObject();
            node.put("namespace", pool.namespace());
            node.put("pool", pool.name());
            node.setAll(body(pool, recommendations.answer(pool)));
        }
        answer(request.response(), 200, JSON.objectNode().set("pools", pools));
    }

    private void recommendation(RoutingContext request) {
        String namespace = request.pathParam("namespace");
        String name = request.pathParam("pool");
        if (namespace.isBlank() || name.isBlank()) {
            problem(request, 404, "a pool has a namespace and a name");
            return;
        }
        PoolId pool = new PoolId(namespace, name);
        if (!recommendations.knows(pool)) {
            problem(request, 404, "pool " + pool + " is not known; " + ALL + " lists those that are");
            return;
        }
        ServingRule.Answer answer = recommendations.answer(pool);
        counted.answered(answer);
        answer(request.response(), answer instanceof ServingRule.Unavailable ? 503 : 200, body(pool, answer));
    }

    private ObjectNode body(PoolId pool, ServingRule.Answer answer) {
        ObjectNode body = JSON.objectNode();
        switch (answer) {
            case ServingRule.Unavailable unavailable -> body.put("hold", true).put("reason", unavailable.reason());
            case ServingRule.Number number -> {
                body.put("desiredReplicas", number.desired());
                body.put("replicas", recommendations.present(pool));
                body.put("demand", number.target().demandMilli() / 1_000.0);
                ObjectNode components = body.putObject("components");
                new TreeMap<>(number.target().components()).forEach(components::put);
                body.put("active", number.active());
                body.put("epoch", number.target().header().epoch());
                body.put("ageMs", number.ageNanos() / 1_000_000);
                body.put("stale", number.stale());
                if (number.hold()) body.put("hold", true).put("reason", number.holdReason());
            }
        }
        return body;
    }

    private static void onlyGet(RoutingContext request) {
        request.response().putHeader("allow", "GET");
        problem(request, 405, request.request().method() + " is not allowed, expected GET");
    }

    private static void problem(RoutingContext request, int status, String reason) {
        answer(request.response(), status, JSON.objectNode().put("reason", reason));
    }

    private static void answer(HttpServerResponse response, int status, JsonNode body) {
        response.setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body + "\n");
    }
}
