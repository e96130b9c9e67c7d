package dev.penstock.enginesim.api;

import dev.penstock.enginesim.jobs.VideoRoutes;
import dev.penstock.enginesim.media.FormRoute;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.GenerationRoute;
import dev.penstock.enginesim.openai.NotedAnswer;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.openai.SideRoutes;
import dev.penstock.enginesim.realtime.RealtimeRoute;
import dev.penstock.enginesim.responses.ResponseRoutes;
import dev.penstock.enginesim.tokens.TokenRoutes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** The paths that clients call, which both engines have alike; runs on the engine's event loop. */
public final class ApiRoutes {
    private static final String MODELS = "/v1/models";
    private static final String MODELS_PREFIX = MODELS + "/";

    private final EngineParts engine;
    private final Dialect dialect;
    private final ServedModels models;
    private final SideRoutes sides;
    private final GenerationRoute generation;
    private final FormRoute forms;
    private final ResponseRoutes responses;
    private final VideoRoutes videos;
    private final TokenRoutes tokens;
    private final RealtimeRoute realtime;
    private final long createdSeconds;

    public ApiRoutes(ApiStyle style, EngineParts engine, Dialect dialect, ServedModels models, SideRoutes sides) {
        this.engine = engine;
        this.dialect = dialect;
        this.models = models;
        this.sides = sides;
        this.generation = new GenerationRoute(engine, dialect, models);
        this.forms = new FormRoute(engine, dialect, generation);
        this.responses = new ResponseRoutes(engine, dialect);
        this.videos = new VideoRoutes(style, engine, dialect, models);
        this.tokens = new TokenRoutes(style, engine, dialect, models);
        this.realtime = new RealtimeRoute(engine, dialect, models);
        this.createdSeconds = engine.seconds();
    }

    /** @return false for a path that is none of these */
    public boolean handle(HttpServerRequest request) {
        String path = request.path();
        Endpoint endpoint = Endpoint.at(path);
        if (endpoint != null) {
            generate(endpoint, request);
        } else if (ResponseRoutes.serves(path)) {
            sides.other(request, () -> responses.handle(request));
        } else if (VideoRoutes.serves(path)) {
            video(request);
        } else if (path.startsWith(MODELS_PREFIX)) {
            model(request, URLDecoder.decode(path.substring(MODELS_PREFIX.length()), StandardCharsets.UTF_8));
        } else {
            return handleSmall(path, request);
        }
        return true;
    }

    /** A path about tokens that only one engine has. */
    public void tokenize(HttpServerRequest request) {
        post(request, tokens::tokenize);
    }

    /** A path about tokens that only one engine has. */
    public void detokenize(HttpServerRequest request) {
        post(request, tokens::detokenize);
    }

    private boolean handleSmall(String path, HttpServerRequest request) {
        switch (path) {
            case MODELS -> get(request, dialect.models(models, engine.adapters(), createdSeconds));
            case "/tokenize" -> tokenize(request);
            case "/detokenize" -> detokenize(request);
            case TokenRoutes.COUNT_PATH -> post(request, tokens::count);
            case RealtimeRoute.PATH -> realtime.handle(request);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void generate(Endpoint endpoint, HttpServerRequest request) {
        if (!sides.allowed(request, HttpMethod.POST)) {
            return;
        }
        if (endpoint.takesFiles()) {
            forms.handle(endpoint, request);
        } else {
            generation.handle(endpoint, request);
        }
    }

    /** Making one is held, if it is, once its body has come; the rest has no body. */
    private void video(HttpServerRequest request) {
        if (request.method().equals(HttpMethod.POST)) {
            videos.handle(request);
        } else {
            sides.other(request, () -> videos.handle(request));
        }
    }

    private void model(HttpServerRequest request, String name) {
        if (!sides.allowed(request, HttpMethod.GET)) {
            return;
        }
        boolean served = models.names().contains(name) || engine.adapters().loaded(name);
        NotedAnswer answer = new NotedAnswer(engine, request, reply -> reply);
        sides.other(request, () -> {
            if (served) {
                answer.json(dialect.model(models, engine.adapters(), name, createdSeconds));
            } else {
                answer.refuse(dialect.unknownModel(name));
            }
        });
    }

    private void get(HttpServerRequest request, String json) {
        if (sides.allowed(request, HttpMethod.GET)) {
            sides.other(request, () -> SideRoutes.sendJson(request.response(), json));
        }
    }

    private void post(HttpServerRequest request, BiConsumer<HttpServerRequest, Buffer> posted) {
        if (sides.allowed(request, HttpMethod.POST)) {
            request.body().onSuccess(body -> sides.other(request, () -> posted.accept(request, body)));
        }
    }
}
