package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.engine.RequestBook;
import dev.penstock.enginesim.engine.SentBodies;
import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.metrics.HttpMetrics;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** vLLM's HTTP server: which path does what. Runs on the engine's event loop. */
public final class VllmFront implements Handler<HttpServerRequest> {
    private static final String JSON = "application/json";

    /** Parts of the engine that the front end talks to. */
    public record Engine(
            StepLoop loop,
            RequestBook requests,
            SentBodies bodies,
            HttpMetrics http,
            Supplier<Fault> fault,
            LongSupplier nanoClock,
            InstantSource wallClock,
            RandomGenerator ids) {}

    private final ServedModels models;
    private final MetricsRoute metrics;
    private final GenerationRoute generation;
    private final long createdSeconds;

    /** @param textSeed same seed, same prompt: same text, on every engine */
    public VllmFront(Engine engine, ServedModels models, MetricsRoute metrics, long textSeed) {
        this.models = models;
        this.metrics = metrics;
        this.createdSeconds = engine.wallClock().millis() / 1000;
        this.generation = new GenerationRoute(
                new Exchange.Books(engine.requests(), engine.bodies(), engine.http(), engine.nanoClock()),
                models,
                engine.loop(),
                new Words(textSeed),
                engine.fault(),
                engine.wallClock(),
                engine.ids());
    }

    /** Paths that {@code http_requests_total} and its sisters count. */
    public static List<String> countedPaths() {
        return Endpoint.paths();
    }

    @Override
    public void handle(HttpServerRequest request) {
        String path = request.path();
        Endpoint endpoint = Endpoint.at(path);
        if (endpoint != null) {
            if (allowed(request, HttpMethod.POST)) {
                generation.handle(endpoint, request);
            }
        } else if (MetricsRoute.serves(path)) {
            if (allowed(request, HttpMethod.GET)) {
                metrics.handle(request);
            }
        } else {
            handleSmall(path, request);
        }
    }

    private void handleSmall(String path, HttpServerRequest request) {
        switch (path) {
            case "/health" -> {
                if (allowed(request, HttpMethod.GET)) {
                    request.response().end();
                }
            }
            case "/ping" -> {
                if (request.method().equals(HttpMethod.POST) || allowed(request, HttpMethod.GET)) {
                    request.response().end();
                }
            }
            case "/version" -> {
                if (allowed(request, HttpMethod.GET)) {
                    sendJson(request.response(), "{\"version\":\"" + VllmVersion.VERSION + "\"}");
                }
            }
            case "/v1/models" -> {
                if (allowed(request, HttpMethod.GET)) {
                    sendJson(request.response(), models.listJson(createdSeconds));
                }
            }
            default -> refuse(request, ErrorReply.unknownPath());
        }
    }

    private static boolean allowed(HttpServerRequest request, HttpMethod method) {
        if (request.method().equals(method)) {
            return true;
        }
        request.response().putHeader("allow", method.name());
        refuse(request, ErrorReply.wrongMethod());
        return false;
    }

    private static void refuse(HttpServerRequest request, ErrorReply reply) {
        sendJson(request.response().setStatusCode(reply.status()), reply.json());
    }

    private static void sendJson(HttpServerResponse response, String json) {
        response.putHeader("content-type", JSON).end(json);
    }
}
