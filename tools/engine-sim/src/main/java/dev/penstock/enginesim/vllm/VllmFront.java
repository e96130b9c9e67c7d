package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.api.ApiRoutes;
import dev.penstock.enginesim.openai.AbortCall;
import dev.penstock.enginesim.openai.AdapterRoutes;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.ErrorReply;
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
    private final MetricsRoute metrics;
    private final ApiRoutes api;
    private final SideRoutes sides;

    public VllmFront(EngineParts engine, ServedModels models, MetricsRoute metrics) {
        this.engine = engine;
        this.adapters = new AdapterRoutes(engine.adapters(), models, new VllmAdapterAnswers());
        this.metrics = metrics;
        this.sides = new SideRoutes(engine, dialect);
        this.api = new ApiRoutes(ApiStyle.VLLM, engine, dialect, models, sides);
    }

    @Override
    public void handle(HttpServerRequest request) {
        String path = request.path();
        if (MetricsRoute.serves(path)) {
            if (sides.allowed(request, HttpMethod.GET)) {
                sides.metrics(request, () -> metrics.handle(request));
            }
        } else if (!api.handle(request)) {
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
            case "/abort_requests" -> abort(request);
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

    /** As with {@code --tokens-only}: by the ids that answers carry, or those that came as X-Request-Id. */
    private void abort(HttpServerRequest request) {
        if (sides.allowed(request, HttpMethod.POST)) {
            request.body()
                    .onSuccess(body -> sides.other(request, () -> {
                        if (AbortCall.ofVllm(engine, body.getBytes())) {
                            request.response().end();
                        } else {
                            SideRoutes.refuse(
                                    request, dialect.badRequest("Missing 'request_ids' in request body", null));
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
