package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** The paths that generate: body in, check, then a streamed or a whole answer. Faults of requests strike here. */
public final class GenerationRoute {
    private final EngineParts engine;
    private final Dialect dialect;
    private final BodyParser parser;
    private final Words words;

    public GenerationRoute(EngineParts engine, Dialect dialect, ServedModels models) {
        this.engine = engine;
        this.dialect = dialect;
        this.parser = new BodyParser(models, engine.adapters(), dialect, engine.keepsTokens());
        this.words = new Words(engine.textSeed());
    }

    public void handle(Endpoint endpoint, HttpServerRequest http) {
        String given = http.getHeader("X-Request-Id");
        Exchange exchange = new Exchange(http, engine, given != null ? given : newId());
        exchange.whenAbandoned(() -> {});
        String contentType = http.getHeader("Content-Type");
        http.body().onSuccess(body -> received(endpoint, exchange, contentType, body.getBytes()));
    }

    private void received(Endpoint endpoint, Exchange exchange, @Nullable String contentType, byte[] body) {
        if (!exchange.open()) {
            return;
        }
        Fault fault = engine.fault().get();
        if (fault instanceof Fault.Hang || fault instanceof Fault.HangRequests) {
            engine.gate().hold(exchange::open, () -> received(endpoint, exchange, contentType, body));
            return;
        }
        ErrorReply failure = failure(fault);
        if (failure != null) {
            exchange.reject(failure);
            return;
        }
        switch (parser.parse(endpoint, contentType, body)) {
            case ParsedBody.Invalid invalid -> exchange.reject(invalid.reply());
            case ParsedBody.Valid valid -> start(exchange, valid.request());
        }
    }

    /** The answer to every request, whatever it asks for. */
    private @Nullable ErrorReply failure(Fault fault) {
        return switch (fault) {
            case Fault.ErrorStatus error when engine.lots().hit(error.percent()) -> dialect.injected(error.code());
            case Fault.Dead _ -> dialect.dead();
            case Fault.Scaling _ -> dialect.scaling();
            case Fault.QueueFull _ when !dialect.queueFullInStream() -> dialect.queueFull();
            default -> null;
        };
    }

    private void start(Exchange exchange, GenerationRequest request) {
        Fault fault = engine.fault().get();
        if (fault instanceof Fault.StrictIds && used(request, exchange)) {
            exchange.reject(dialect.injected(500));
            return;
        }
        String id = dialect.answerId(request, exchange.id());
        boolean generates = request.endpoint() != Endpoint.EMBEDDINGS;
        boolean aborts = generates
                && (fault instanceof Fault.Abort || fault instanceof Fault.Sigterm && dialect.abortsWhenTerminating());
        if (request.stream()) {
            StreamEvents events = dialect.events(request.endpoint(), id, request.model(), engine::seconds);
            StreamedAnswer answer = new StreamedAnswer(exchange, request, events, dialect, engine, words);
            if (aborts || fault instanceof Fault.QueueFull full && full.abortChunk()) {
                answer.startAborted();
            } else if (fault instanceof Fault.QueueFull) {
                answer.startFailed(dialect.queueFull());
            } else {
                answer.start();
            }
            return;
        }
        WholeAnswer answer = new WholeAnswer(exchange, request, dialect, engine, words, id);
        if (fault instanceof Fault.QueueFull) {
            exchange.reject(dialect.queueFull());
        } else if (aborts) {
            answer.startAborted();
        } else {
            answer.start();
        }
    }

    private boolean used(GenerationRequest request, Exchange exchange) {
        String id = request.rid() != null ? request.rid() : exchange.id();
        return engine.open().has(id) || engine.bodies().find(id) != null;
    }

    private String newId() {
        return String.format("%016x%016x", engine.ids().nextLong(), engine.ids().nextLong());
    }
}
