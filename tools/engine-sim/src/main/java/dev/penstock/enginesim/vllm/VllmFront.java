package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.openai.AdapterRoutes;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.GenerationRoute;
import dev.penstock.enginesim.openai.MetricsRoute;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.openai.SideRoutes;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Function;

/** vLLM's HTTP server: which path does what. Runs on the engine's event loop. */
public final class VllmFront implements Handler<HttpServerRequest> {
    private final Dialect dialect = new VllmDialect();
    private final EngineParts engine;
    private final AdapterRoutes adapters;
    private final ServedModels models;
    private final MetricsRoute metrics;
    private final GenerationRoute generation;
    private final SideRoutes sides;
    private final long createdSeconds;

    public VllmFront(EngineParts engine, ServedModels models, MetricsRoute metrics) {
        this.engine = engine;
        this.adapters = new AdapterRoutes(engine.adapters(), models, new VllmAdapterAnswers());
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
            case "/v1/models" -> get(request, dialect.models(models, engine.adapters(), createdSeconds));
            case "/v1/load_lora_adapter" -> adapter(request, adapters::load, "added");
            case "/v1/unload_lora_adapter" -> adapter(request, adapters::unload, "removed");
            default -> sides.unknown(request);
        }
    }

    /** As with {@code VLLM_ALLOW_RUNTIME_LORA_UPDATING=1}. */
    private void adapter(HttpServerRequest request, Function<byte[], AdapterRoutes.Outcome> change, String done) {
        if (sides.allowed(request, HttpMethod.POST)) {
            request.body()
                    .onSuccess(body -> sides.other(request, () -> {
                        switch (change.apply(body.getBytes())) {
                            case AdapterRoutes.Done(String name) ->
                                request.response()
                                        .end("Success: LoRA adapter '" + name + "' " + done + " successfully.");
                            case AdapterRoutes.Refused(ErrorReply reply) -> SideRoutes.refuse(request, reply);
                        }
                    }));
        }
    }

    private void get(HttpServerRequest request, String json) {
        if (sides.allowed(request, HttpMethod.GET)) {
            sides.other(request, () -> SideRoutes.sendJson(request.response(), json));
        }
    }
}
