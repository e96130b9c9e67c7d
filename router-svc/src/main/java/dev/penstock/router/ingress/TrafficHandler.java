package dev.penstock.router.ingress;

import dev.penstock.kit.management.Readiness;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/** Which endpoint a request is for. A plain switch: nothing is matched by pattern on the hot path. */
final class TrafficHandler implements Handler<HttpServerRequest> {
    private final CompletionHandler completions;
    private final ModelsHandler models;
    private final Readiness readiness;

    TrafficHandler(CompletionHandler completions, ModelsHandler models, Readiness readiness) {
        this.completions = completions;
        this.models = models;
        this.readiness = readiness;
    }

    @Override
    public void handle(HttpServerRequest request) {
        switch (request.path()) {
            case "/v1/chat/completions", "/v1/completions", "/v1/embeddings" -> {
                if (request.method() == HttpMethod.POST) completions.handle(request);
                else wrongMethod(request, "POST");
            }
            case "/v1/models" -> {
                if (request.method() == HttpMethod.GET) models.handle(request);
                else wrongMethod(request, "GET");
            }
            case "/health" ->
                request.response().setStatusCode(readiness.ready() ? 200 : 503).end();
            case null, default ->
                ApiError.unknownPath(String.valueOf(request.path())).send(request.response());
        }
    }

    private static void wrongMethod(HttpServerRequest request, String allowed) {
        request.response().putHeader("allow", allowed);
        ApiError.wrongMethod(request.method().name(), allowed).send(request.response());
    }
}
