package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** What faults do to the paths that do not generate: health, metrics, the rest. On the engine's event loop. */
public final class SideRoutes {
    private final EngineParts engine;
    private final Dialect dialect;

    public SideRoutes(EngineParts engine, Dialect dialect) {
        this.engine = engine;
        this.dialect = dialect;
    }

    /** @param healthy answers as the engine does without a fault of its health */
    public void health(HttpServerRequest request, Runnable healthy) {
        switch (engine.fault().get()) {
            case Fault.Hang _, Fault.HangHealth _ -> hold(request, healthy);
            case Fault.SlowHealth slow -> later(slow.millis(), request, healthy);
            case Fault.Overload overload -> later(overload.healthMillis(), request, healthy);
            case Fault.HealthStatus health ->
                request.response().setStatusCode(health.code()).end();
            case Fault.Dead _ -> request.response().setStatusCode(503).end();
            default -> healthy.run();
        }
    }

    /** Metrics and load paths. */
    public void metrics(HttpServerRequest request, Runnable answer) {
        switch (engine.fault().get()) {
            case Fault.Hang _, Fault.HangMetrics _ -> hold(request, answer);
            case Fault.SlowMetrics slow -> later(slow.millis(), request, answer);
            case Fault.MetricsStatus metrics ->
                request.response()
                        .setStatusCode(metrics.code())
                        .putHeader("content-type", "text/plain; charset=utf-8")
                        .end("Internal Server Error");
            default -> answer.run();
        }
    }

    public void other(HttpServerRequest request, Runnable answer) {
        if (engine.fault().get() instanceof Fault.Hang) {
            hold(request, answer);
        } else {
            answer.run();
        }
    }

    /** Answers 405 itself when it is the wrong one. */
    public boolean allowed(HttpServerRequest request, HttpMethod method) {
        if (request.method().equals(method)) {
            return true;
        }
        request.response().putHeader("allow", method.name());
        refuse(request, dialect.wrongMethod());
        return false;
    }

    public void unknown(HttpServerRequest request) {
        refuse(request, dialect.unknownPath());
    }

    public static void sendJson(HttpServerResponse response, String json) {
        response.putHeader("content-type", "application/json").end(json);
    }

    public static void refuse(HttpServerRequest request, ErrorReply reply) {
        sendJson(request.response().setStatusCode(reply.status()), reply.json());
    }

    private void hold(HttpServerRequest request, Runnable answer) {
        engine.gate().hold(() -> !request.response().closed(), answer);
    }

    private void later(long millis, HttpServerRequest request, Runnable answer) {
        if (millis < 1) {
            answer.run();
        } else {
            engine.vertx().setTimer(millis, _ -> ifOpen(request, answer));
        }
    }

    private static void ifOpen(HttpServerRequest request, Runnable answer) {
        if (!request.response().closed()) {
            answer.run();
        }
    }
}
