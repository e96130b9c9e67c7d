package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.api.ApiRoutes;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.metrics.SglangMetrics;
import dev.penstock.enginesim.openai.AbortCall;
import dev.penstock.enginesim.openai.AdapterRoutes;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.MetricsRoute;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.openai.SideRoutes;
import dev.penstock.enginesim.step.Profile;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SGLang's HTTP server: which path does what. Runs on the engine's event loop. */
public final class SglangFront implements Handler<HttpServerRequest> {
    /** The version that is imitated. */
    static final String VERSION = "0.5.23";

    private static final long HEALTH_POLL_MILLIS = 1_000;
    private static final int HEALTH_POLLS = 20;

    private final Dialect dialect = new SglangDialect();
    private final EngineParts engine;
    private final SglangAdapterAnswers adapterAnswers;
    private final AdapterRoutes adapters;
    private final ServedModels models;
    private final Profile profile;
    private final @Nullable MetricsRoute metrics;
    private final ApiRoutes api;
    private final SideRoutes sides;
    private final SglangHealth health;
    private final LoadReport loads;

    /**
     * @param counts of each rank
     * @param metrics null: started without {@code --enable-metrics}
     */
    public SglangFront(
            EngineParts engine,
            ServedModels models,
            Profile profile,
            List<SglangMetrics> counts,
            @Nullable MetricsRoute metrics) {
        this.engine = engine;
        this.adapterAnswers = new SglangAdapterAnswers(engine.adapters());
        this.adapters = new AdapterRoutes(engine.adapters(), models, adapterAnswers);
        this.models = models;
        this.profile = profile;
        this.metrics = metrics;
        this.sides = new SideRoutes(engine, dialect);
        this.api = new ApiRoutes(ApiStyle.SGLANG, engine, dialect, models, sides);
        this.health = new SglangHealth(engine.vertx(), engine.loop(), HEALTH_POLL_MILLIS, HEALTH_POLLS);
        this.loads = new LoadReport(engine.loop(), counts, profile, engine.wallClock());
    }

    @Override
    public void handle(HttpServerRequest request) {
        String path = request.path();
        if (MetricsRoute.serves(path) && metrics != null) {
            if (sides.allowed(request, HttpMethod.GET)) {
                sides.metrics(request, () -> metrics.handle(request));
            }
        } else if (!api.handle(request)) {
            handleSmall(path, request);
        }
    }

    private void handleSmall(String path, HttpServerRequest request) {
        switch (path) {
            case "/health", "/health_generate" -> {
                if (sides.allowed(request, HttpMethod.GET)) {
                    sides.health(request, () -> checkHealth(request));
                }
            }
            case "/v1/loads", "/get_load" -> {
                if (sides.allowed(request, HttpMethod.GET)) {
                    sides.metrics(request, () -> askScheduler(request, () -> sendLoads(request)));
                }
            }
            case "/server_info", "/get_server_info" -> {
                if (sides.allowed(request, HttpMethod.GET)) {
                    sides.other(
                            request,
                            () -> askScheduler(request, () -> SideRoutes.sendJson(request.response(), serverInfo())));
                }
            }
            case "/model_info", "/get_model_info" -> get(request, modelInfo());
            case "/v1/tokenize" -> api.tokenize(request);
            case "/v1/detokenize" -> api.detokenize(request);
            case "/load_lora_adapter" -> post(request, (asked, body) -> adapter(asked, adapters.load(body.getBytes())));
            case "/unload_lora_adapter" ->
                post(request, (asked, body) -> adapter(asked, adapters.unload(body.getBytes())));
            case "/abort_request" -> post(request, this::abort);
            case "/flush_cache" -> post(request, this::flushCache);
            default -> sides.unknown(request);
        }
    }

    /** 503 while it starts or goes, though it takes requests then. */
    private void checkHealth(HttpServerRequest request) {
        switch (engine.fault().get()) {
            case Fault.Sigterm _, Fault.Starting _ -> SglangHealth.unhealthy(request);
            // The parent says yes without asking its scheduler.
            case Fault.Orphan _ -> request.response().end();
            default -> health.handle(request);
        }
    }

    private void askScheduler(HttpServerRequest request, Runnable answer) {
        engine.loop().atNextStep(() -> !request.response().closed(), answer);
    }

    private void sendLoads(HttpServerRequest request) {
        if ("prometheus".equals(request.getParam("format"))) {
            request.response()
                    .putHeader("content-type", "text/plain; charset=utf-8")
                    .end(loads.page());
        } else {
            SideRoutes.sendJson(request.response(), loads.json());
        }
    }

    private String serverInfo() {
        StringBuilder out = new StringBuilder("{\"model_path\":");
        JsonText.append(out, models.first()).append(",\"served_model_name\":");
        JsonText.append(out, models.first())
                .append(",\"page_size\":")
                .append(Profile.BLOCK_TOKENS)
                .append(",\"max_running_requests\":")
                .append(profile.maxNumSeqs())
                .append(",\"chunked_prefill_size\":")
                .append(profile.maxNumBatchedTokens())
                .append(",\"context_length\":")
                .append(profile.maxModelLen())
                .append(",\"max_total_num_tokens\":")
                .append((long) profile.kvBlocks() * Profile.BLOCK_TOKENS)
                .append(",\"schedule_policy\":\"fcfs\",\"decode_log_interval\":40,\"tp_size\":1,\"dp_size\":")
                .append(engine.loop().ranks())
                .append(',')
                .append("\"enable_metrics\":")
                .append(metrics != null)
                .append(",\"internal_states\":[{\"memory_usage\":{\"token_capacity\":")
                .append((long) profile.kvBlocks() * Profile.BLOCK_TOKENS)
                .append("},\"effective_max_running_requests_per_dp\":")
                .append(profile.maxNumSeqs())
                .append("}],\"version\":\"")
                .append(VERSION)
                .append("\"}");
        return out.toString();
    }

    private String modelInfo() {
        StringBuilder out = new StringBuilder("{\"model_path\":");
        JsonText.append(out, models.first()).append(",\"tokenizer_path\":");
        return JsonText.append(out, models.first())
                .append(",\"is_generation\":")
                .append(!models.pooling())
                .append(",\"weight_version\":\"default\"}")
                .toString();
    }

    /** Ends what runs under this rid, or under one that starts like it, as aborted. */
    private void abort(HttpServerRequest request, Buffer body) {
        AbortCall.ofSglang(engine, body.getBytes());
        request.response().end();
    }

    private void flushCache(HttpServerRequest request, Buffer body) {
        engine.loop().forgetCached();
        request.response()
                .putHeader("content-type", "text/plain; charset=utf-8")
                .end("Cache flushed.\nPlease check backend logs for more details. (When there are running or waiting"
                        + " requests, the operation will not be performed.)\n");
    }

    private void adapter(HttpServerRequest request, AdapterRoutes.Outcome outcome) {
        switch (outcome) {
            case AdapterRoutes.Done _ -> SideRoutes.sendJson(request.response(), adapterAnswers.done());
            case AdapterRoutes.Refused(ErrorReply reply) -> SideRoutes.refuse(request, reply);
        }
    }

    private interface Posted {
        void handle(HttpServerRequest request, Buffer body);
    }

    private void post(HttpServerRequest request, Posted posted) {
        if (sides.allowed(request, HttpMethod.POST)) {
            request.body().onSuccess(body -> sides.other(request, () -> posted.handle(request, body)));
        }
    }

    private void get(HttpServerRequest request, String answer) {
        if (sides.allowed(request, HttpMethod.GET)) {
            sides.other(request, () -> SideRoutes.sendJson(request.response(), answer));
        }
    }
}
