package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.GenerationRoute;
import dev.penstock.enginesim.openai.MetricsRoute;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.openai.SideRoutes;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/** vLLM's HTTP server: which path does what. Runs on the engine's event loop. */
public final class VllmFront implements Handler<HttpServerRequest> {
    private final Dialect dialect = new VllmDialect();
    private final ServedModels models;
    private final MetricsRoute metrics;
    private final GenerationRoute generation;
    private final SideRoutes sides;
    private final long createdSeconds;

    public VllmFront(EngineParts engine, ServedModels models, MetricsRoute metrics) {
        this.models = models;
        this.metrics = metrics;
        this.createdSeconds = engine.seconds();
        this.generation = new GenerationRoute(engine, dialect, models);
        this.sides = new SideRoutes(engine, dialect);
    }

    public Dialect dialect() {
        return dialect;
    }

    @Override
    public void handle(HttpServerRequest request) {
        String path = request.path();
        Endpoint endpoint = Endpoint.at(path);
        if (endpoint != null) {
            if (sides.allowed(request, HttpMethod.POST)) {
                generation.handle(endpoint, request);
            }
        } else if (MetricsRoute.serves(path)) {
            if (sides.allowed(request, HttpMethod.GET)) {
                sides.metrics(request, () -> metrics.handle(request));
            }
        } else {
            handleSmall(path, request);
        }
    }

    /** Health says that the engine's process is alive, and not that tokens flow. */
    private void handleSmall(String path, HttpServerRequest request) {
        switch (path) {
            case "/health" -> {
                if (sides.allowed(request, HttpMethod.GET)) {
                    sides.health(request, () -> request.response().end());
                }
            }
            case "/ping" -> {
                if (request.method().equals(HttpMethod.POST) || sides.allowed(request, HttpMethod.GET)) {
                    sides.health(request, () -> request.response().end());
                }
            }
            case "/version" -> get(request, "{\"version\":\"" + VllmVersion.VERSION + "\"}");
            case "/v1/models" -> get(request, dialect.models(models, createdSeconds));
            default -> sides.unknown(request);
        }
    }

    private void get(HttpServerRequest request, String json) {
        if (sides.allowed(request, HttpMethod.GET)) {
            sides.other(request, () -> SideRoutes.sendJson(request.response(), json));
        }
    }
}
