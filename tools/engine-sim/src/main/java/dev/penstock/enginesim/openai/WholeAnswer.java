package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.step.Sequence;
import java.util.ArrayList;
import java.util.List;

/** An answer that is sent when the last of its sequences is finished: not streamed, or embeddings. */
final class WholeAnswer implements OpenAnswers.OpenAnswer {
    private final Exchange exchange;
    private final GenerationRequest request;
    private final Dialect dialect;
    private final EngineParts engine;
    private final Words words;
    private final String answerId;
    private final List<Sequence> sequences = new ArrayList<>();
    private int unfinished;

    WholeAnswer(
            Exchange exchange,
            GenerationRequest request,
            Dialect dialect,
            EngineParts engine,
            Words words,
            String answerId) {
        this.exchange = exchange;
        this.request = request;
        this.dialect = dialect;
        this.engine = engine;
        this.words = words;
        this.answerId = answerId;
    }

    void start() {
        exchange.works(request.model(), sequences);
        exchange.whenAbandoned(() -> Leaving.of(engine, dialect, false, this::drop));
        exchange.whenSettled(() -> engine.open().remove(this));
        engine.open().add(this);
        unfinished = request.sequences();
        for (int i = 0; i < request.sequences(); i++) {
            engine.loop().submit(request.workOf(i), this::progressed, sequences::add);
        }
    }

    void startAborted() {
        exchange.answer(dialect.generation(request, words, answered(0), 0, "abort"));
    }

    @Override
    public String id() {
        return request.rid() != null ? request.rid() : exchange.id();
    }

    @Override
    public void abort() {
        if (!exchange.open()) {
            return;
        }
        if (request.endpoint() == Endpoint.EMBEDDINGS) {
            fail(dialect.dead());
            return;
        }
        int tokens =
                sequences.stream().mapToInt(Sequence::generatedTokens).min().orElse(0);
        drop();
        exchange.answer(dialect.generation(request, words, answered(0), tokens, "abort"));
    }

    @Override
    public void fail(ErrorReply reply) {
        if (exchange.open()) {
            drop();
            exchange.reject(reply);
        }
    }

    private void progressed(Sequence sequence) {
        if (sequence.finished() && --unfinished == 0 && exchange.open()) {
            Dialect.Answered answered = answered(engine.promptDetails() ? request.cachedTokens(sequences) : 0);
            exchange.answer(
                    request.endpoint() == Endpoint.EMBEDDINGS
                            ? dialect.embeddings(request, words, answered)
                            : dialect.generation(request, words, answered, request.outputTokens(), "length"));
        }
    }

    private Dialect.Answered answered(int cachedTokens) {
        return new Dialect.Answered(answerId, engine.seconds(), cachedTokens);
    }

    @Override
    public void drop() {
        sequences.forEach(engine.loop()::abort);
    }
}
