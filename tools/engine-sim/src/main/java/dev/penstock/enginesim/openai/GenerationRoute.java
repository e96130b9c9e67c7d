package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;
import io.vertx.core.http.HttpServerRequest;

/** The paths that generate: body in, check, then a streamed or a whole answer. */
public final class GenerationRoute {
    private final EngineParts engine;
    private final Dialect dialect;
    private final Intake intake;
    private final BodyParser parser;
    private final Words words;

    public GenerationRoute(EngineParts engine, Dialect dialect, ServedModels models) {
        this.engine = engine;
        this.dialect = dialect;
        this.intake = new Intake(engine, dialect);
        this.parser =
                new BodyParser(models, engine.adapters(), engine.kept().responses(), dialect, engine.keepsTokens());
        this.words = new Words(engine.textSeed());
    }

    /** A request with a JSON body. */
    public void handle(Endpoint endpoint, HttpServerRequest http) {
        Exchange exchange = intake.open(endpoint, http);
        String contentType = http.getHeader("Content-Type");
        http.body()
                .onSuccess(body -> intake.admit(
                        exchange, () -> start(exchange, parser.parse(endpoint, contentType, body.getBytes()))));
    }

    /** A request whose body was read elsewhere. */
    public void start(Exchange exchange, ParsedBody body) {
        switch (body) {
            case ParsedBody.Invalid invalid -> exchange.reject(invalid.reply());
            case ParsedBody.Valid valid -> start(exchange, valid.request());
        }
    }

    public BodyParser parser() {
        return parser;
    }

    private void start(Exchange exchange, GenerationRequest request) {
        Fault fault = engine.fault().get();
        if (fault instanceof Fault.StrictIds && used(request, exchange)) {
            exchange.reject(dialect.injected(500));
            return;
        }
        String id = dialect.answerId(request, exchange.id());
        boolean aborts = !request.endpoint().pools()
                && (fault instanceof Fault.Abort || fault instanceof Fault.Sigterm && dialect.abortsWhenTerminating());
        if (request.endpoint() == Endpoint.SPEECH) {
            if (fault instanceof Fault.QueueFull) {
                exchange.reject(dialect.queueFull());
            } else {
                new SpeechAnswer(exchange, request, dialect, engine, words).start();
            }
        } else if (request.stream()) {
            stream(exchange, request, id, aborts);
        } else {
            answer(exchange, request, id, aborts);
        }
    }

    private void stream(Exchange exchange, GenerationRequest request, String id, boolean aborts) {
        StreamEvents events = dialect.events(request, id, engine::seconds);
        StreamedAnswer answer = new StreamedAnswer(exchange, request, events, dialect, engine, words, id);
        Fault fault = engine.fault().get();
        if (aborts || fault instanceof Fault.QueueFull full && full.abortChunk()) {
            answer.startAborted();
        } else if (fault instanceof Fault.QueueFull) {
            answer.startFailed(dialect.queueFull());
        } else {
            answer.start();
        }
    }

    private void answer(Exchange exchange, GenerationRequest request, String id, boolean aborts) {
        WholeAnswer answer = new WholeAnswer(exchange, request, dialect, engine, words, id);
        if (engine.fault().get() instanceof Fault.QueueFull) {
            exchange.reject(dialect.queueFull());
        } else if (aborts) {
            answer.startAborted();
        } else if (request.background()) {
            new BackgroundAnswer(request, dialect, engine, words, id).start(exchange);
        } else {
            answer.start();
        }
    }

    private boolean used(GenerationRequest request, Exchange exchange) {
        String id = request.rid() != null ? request.rid() : exchange.id();
        return engine.open().has(id) || engine.bodies().find(id) != null;
    }
}
