package dev.penstock.kit.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.kit.log.LogKeys;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management port. With a token everything but {@code /livez} and {@code /readyz} asks for it as a bearer token:
 * probes carry no secrets.
 */
public final class ManagementServer {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementServer.class);

    private static final String LOOPBACK = "127.0.0.1";

    private final HttpServer server;
    private final String host;

    private ManagementServer(HttpServer server, String host) {
        this.server = server;
        this.host = host;
    }

    /**
     * @param host where it listens when a token is asked for; without one only on the loopback address
     * @param token what a caller must show as bearer token, except for {@code /livez} and {@code /readyz}
     */
    public static Future<ManagementServer> start(
            Vertx vertx,
            String host,
            int port,
            Readiness readiness,
            PrometheusMeterRegistry meters,
            ObjectNode effectiveConfig,
            Map<String, Supplier<JsonNode>> debugPages,
            @Nullable String token) {
        return start(vertx, host, port, readiness, meters, effectiveConfig, debugPages, Map.of(), token);
    }

    /** The same with pages about one of many things. */
    public static Future<ManagementServer> start(
            Vertx vertx,
            String host,
            int port,
            Readiness readiness,
            PrometheusMeterRegistry meters,
            ObjectNode effectiveConfig,
            Map<String, Supplier<JsonNode>> debugPages,
            Map<String, ItemPage> itemPages,
            @Nullable String token) {
        Router router = Router.router(vertx);
        router.get("/livez").handler(request -> request.response().end("ok\n"));
        router.get("/readyz").handler(request -> readyz(request, readiness));
        if (token != null) router.route().handler(request -> authorize(request, "Bearer " + token));
        router.get("/metrics").handler(request -> metrics(vertx, request, meters));
        router.get("/debug/config").handler(request -> json(request, 200, effectiveConfig));
        debugPages.forEach(
                (name, page) -> router.get("/debug/" + name).handler(request -> json(request, 200, page.get())));
        itemPages.forEach(
                (name, page) -> router.get("/debug/" + name + "/:item").handler(request -> item(request, page)));
        router.route().failureHandler(ManagementServer::failed);
        String bound = token == null ? LOOPBACK : host;
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(port, bound)
                .map(server -> new ManagementServer(server, bound))
                .recover(failure -> Future.failedFuture(
                        failure instanceof BindException ? new PortTakenException(port, "managementPort") : failure));
    }

    /** Where it listens: the loopback address without a token. */
    public String host() {
        return host;
    }

    public int port() {
        return server.actualPort();
    }

    public Future<Void> close() {
        return server.close();
    }

    private static void readyz(RoutingContext request, Readiness readiness) {
        ObjectNode state = readiness.toJson();
        json(request, state.path("ready").asBoolean() ? 200 : 503, state);
    }

    /** A scrape walks every meter, so not on the event loop. */
    private static void metrics(Vertx vertx, RoutingContext request, PrometheusMeterRegistry meters) {
        vertx.executeBlocking(() -> meters.scrape(), false)
                .onSuccess(text -> request.response()
                        .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                        .end(text))
                .onFailure(request::fail);
    }

    private static void authorize(RoutingContext request, String expected) {
        String seen = request.request().getHeader("authorization");
        if (seen != null && MessageDigest.isEqual(utf8(seen), utf8(expected))) request.next();
        else
            request.response()
                    .setStatusCode(401)
                    .putHeader("www-authenticate", "Bearer")
                    .end();
    }

    private static void item(RoutingContext request, ItemPage page) {
        page.of(request.pathParam("item"), request.request().headers())
                .onSuccess(answer -> json(request, answer.status(), answer.body()))
                .onFailure(request::fail);
    }

    private static void failed(RoutingContext request) {
        Throwable failure = request.failure();
        if (failure != null) {
            LOG.atError()
                    .setCause(failure)
                    .addKeyValue(LogKeys.PATH, request.normalizedPath())
                    .log("a management page failed");
        }
        int status = request.statusCode() >= 400 ? request.statusCode() : 500;
        if (!request.response().ended())
            request.response().setStatusCode(status).end();
    }

    private static void json(RoutingContext request, int status, JsonNode body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body.toPrettyString() + "\n");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
