package dev.penstock.enginesim.realtime;

import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.Intake;
import dev.penstock.enginesim.openai.NotedAnswer;
import dev.penstock.enginesim.openai.ServedModels;
import io.vertx.core.http.HttpServerRequest;

/** The handshake of {@code /v1/realtime}. A request that wants no WebSocket finds nothing there. */
public final class RealtimeRoute {
    public static final String PATH = "/v1/realtime";

    private final EngineParts engine;
    private final Dialect dialect;
    private final ServedModels models;
    private final Intake intake;

    public RealtimeRoute(EngineParts engine, Dialect dialect, ServedModels models) {
        this.engine = engine;
        this.dialect = dialect;
        this.models = models;
        this.intake = new Intake(engine, dialect);
    }

    public void handle(HttpServerRequest request) {
        NotedAnswer refusal = new NotedAnswer(engine, request, reply -> reply);
        if (!"websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
            refusal.refuse(dialect.unknownPath());
            return;
        }
        if (engine.fault().get() instanceof Fault.Hang || engine.fault().get() instanceof Fault.HangRequests) {
            engine.gate().hold(() -> !request.response().closed(), () -> handle(request));
            return;
        }
        ErrorReply failure = engine.fault().get() instanceof Fault.Throttle ? dialect.injected(429) : intake.failure();
        if (failure != null) {
            refusal.refuse(failure);
            return;
        }
        String given = request.getHeader("X-Request-Id");
        String id = given != null ? given : engine.newId();
        request.toWebSocket()
                .onSuccess(socket -> new RealtimeSession(engine, models, socket, request.connection(), id).begin());
    }
}
