package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The paths that generate: body in, check, then a streamed or a whole answer. */
final class GenerationRoute {
    private final Exchange.Books books;
    private final BodyParser parser;
    private final StepLoop loop;
    private final Words words;
    private final Supplier<Fault> fault;
    private final InstantSource wallClock;
    private final RandomGenerator ids;

    GenerationRoute(
            Exchange.Books books,
            ServedModels models,
            StepLoop loop,
            Words words,
            Supplier<Fault> fault,
            InstantSource wallClock,
            RandomGenerator ids) {
        this.books = books;
        this.parser = new BodyParser(models);
        this.loop = loop;
        this.words = words;
        this.fault = fault;
        this.wallClock = wallClock;
        this.ids = ids;
    }

    void handle(Endpoint endpoint, HttpServerRequest http) {
        String given = http.getHeader("X-Request-Id");
        Exchange exchange = new Exchange(http, books, given != null ? given : newId());
        exchange.whenAbandoned(() -> {});
        String contentType = http.getHeader("Content-Type");
        http.body().onSuccess(body -> {
            if (exchange.open()) {
                start(endpoint, exchange, contentType, body.getBytes());
            }
        });
    }

    private void start(Endpoint endpoint, Exchange exchange, @Nullable String contentType, byte[] body) {
        if (fault.get() instanceof Fault.ErrorStatus error) {
            exchange.reject(ErrorReply.injected(error.code()));
            return;
        }
        switch (parser.parse(endpoint, contentType, body)) {
            case ParsedBody.Invalid invalid -> exchange.reject(invalid.reply());
            case ParsedBody.Valid valid -> start(exchange, valid.request());
        }
    }

    private void start(Exchange exchange, GenerationRequest request) {
        String id = request.endpoint().idPrefix() + exchange.id();
        long created = wallClock.millis() / 1000;
        boolean aborts = fault.get() instanceof Fault.Abort && request.endpoint() != Endpoint.EMBEDDINGS;
        if (request.stream()) {
            StreamFrames frames = new StreamFrames(request.endpoint(), id, created, request.model());
            StreamedAnswer answer = new StreamedAnswer(exchange, request, frames, words, loop, fault);
            if (aborts) {
                answer.startAborted();
            } else {
                answer.start();
            }
        } else if (aborts) {
            exchange.answer(WholeBody.generation(request, words, id, created, 0, "abort"));
        } else {
            new WholeAnswer(exchange, request, () -> wholeBody(request, id, created), loop).start();
        }
    }

    private String wholeBody(GenerationRequest request, String id, long created) {
        return request.endpoint() == Endpoint.EMBEDDINGS
                ? WholeBody.embeddings(request, words, id, created)
                : WholeBody.generation(request, words, id, created, request.outputTokens(), "length");
    }

    private String newId() {
        return String.format("%016x%016x", ids.nextLong(), ids.nextLong());
    }
}
