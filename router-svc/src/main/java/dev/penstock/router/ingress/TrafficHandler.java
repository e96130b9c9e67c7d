package dev.penstock.router.ingress;

import dev.penstock.kit.management.Readiness;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.api.Envelope;
import dev.penstock.router.realtime.RealtimeHandler;
import dev.penstock.router.relay.Watch;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/** Which endpoint a request is for. */
final class TrafficHandler implements Handler<HttpServerRequest> {
    private static final String MODEL_PREFIX = "/v1/models/";

    private final CompletionHandler completions;
    private final UploadHandler uploads;
    private final RealtimeHandler realtime;
    private final ModelsHandler models;
    private final JobsHandler jobs;
    private final Readiness readiness;
    private final Connections connections;
    private final Watch watch;

    TrafficHandler(
            CompletionHandler completions,
            UploadHandler uploads,
            RealtimeHandler realtime,
            ModelsHandler models,
            JobsHandler jobs,
            Readiness readiness,
            Connections connections,
            Watch watch) {
        this.completions = completions;
        this.uploads = uploads;
        this.realtime = realtime;
        this.models = models;
        this.jobs = jobs;
        this.readiness = readiness;
        this.connections = connections;
        this.watch = watch;
    }

    @Override
    public void handle(HttpServerRequest request) {
        connections.asked(request.connection());
        Target target = Target.of(request.uri());
        if (target == null) {
            refuse(request, ApiError.badHttp(400, "The request target must be a path, without a fragment."));
            return;
        }
        String fault = HeadRules.fault(request.version(), request.headers());
        if (fault != null) {
            refuse(request, ApiError.badHttp(400, fault));
            request.connection().close();
            return;
        }
        Endpoint endpoint = Endpoint.at(target.path());
        if (endpoint != null && request.method() == HttpMethod.POST) {
            if (uploads.takes(request, endpoint)) uploads.handle(request, endpoint, target);
            else completions.handle(request, endpoint, target);
            return;
        }
        if (endpoint != null && jobs.lists(request, endpoint)) return;
        if (endpoint != null) {
            wrongMethod(request, endpoint.envelope(), "POST");
            return;
        }
        other(request, target);
    }

    private void other(HttpServerRequest request, Target target) {
        String path = target.path();
        if (path.equals("/v1/models") || path.startsWith(MODEL_PREFIX)) {
            if (request.method() != HttpMethod.GET) wrongMethod(request, Envelope.OPENAI, "GET");
            else if (path.length() <= MODEL_PREFIX.length()) models.list(request);
            else models.one(request, path.substring(MODEL_PREFIX.length()));
        } else if (path.equals(RealtimeHandler.PATH)) {
            realtime.handle(request, target.uri());
        } else if (path.equals("/health")) {
            request.response().setStatusCode(readiness.ready() ? 200 : 503).end();
        } else if (!jobs.handles(request, target)) {
            refuse(request, ApiError.unknownPath(path));
        }
    }

    private void refuse(HttpServerRequest request, ApiError error) {
        Refused.send(request, error, Envelope.OPENAI, watch);
    }

    private void wrongMethod(HttpServerRequest request, Envelope envelope, String allowed) {
        request.response().putHeader("allow", allowed);
        Refused.send(request, ApiError.wrongMethod(request.method().name(), allowed), envelope, watch);
    }
}
