package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.engine.StoredResponse;
import dev.penstock.enginesim.step.Sequence;

/** An answer that is sent when the last of its sequences is finished: not streamed, or numbers. */
final class WholeAnswer implements OpenAnswers.OpenAnswer {
    private final Exchange exchange;
    private final GenerationRequest request;
    private final Dialect dialect;
    private final EngineParts engine;
    private final Words words;
    private final String answerId;
    private final SequenceSet sequences;
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
        this.sequences = new SequenceSet(engine);
    }

    void start() {
        exchange.works(request.model(), sequences.all());
        exchange.whenAbandoned(() -> Leaving.of(engine, dialect, false, this));
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
    public boolean working() {
        return sequences.working();
    }

    @Override
    public void abort() {
        if (!exchange.open()) {
            return;
        }
        if (request.endpoint().pools()) {
            fail();
            return;
        }
        int tokens = sequences.fewestTokens();
        drop();
        exchange.answer(dialect.generation(request, words, answered(0), tokens, "abort"));
    }

    @Override
    public void fail() {
        if (exchange.open()) {
            drop();
            exchange.reject(dialect.dead());
        }
    }

    private void progressed(Sequence sequence) {
        if (sequence.finished() && --unfinished == 0 && exchange.open()) {
            finish(answered(engine.promptDetails() ? request.cachedTokens(sequences.all()) : 0));
        }
    }

    private void finish(Dialect.Answered answered) {
        if (request.endpoint().pools()) {
            exchange.answer(dialect.numbers(request, words, answered));
            return;
        }
        String text = dialect.generation(request, words, answered, request.outputTokens(), "length");
        if (request.stored()) {
            String conversation = request.promptOf(0).text() + " " + request.text(words, 0, request.outputTokens());
            engine.kept().responses().put(answerId, new StoredResponse.Finished(text, conversation));
        }
        if (request.endpoint().takesFiles()
                && request.body().path("response_format").asText("").equals("text")) {
            exchange.answer("text/plain; charset=utf-8", request.text(words, 0, request.outputTokens()) + "\n");
        } else {
            exchange.answer(text);
        }
    }

    private Dialect.Answered answered(int cachedTokens) {
        return new Dialect.Answered(answerId, engine.seconds(), cachedTokens);
    }

    @Override
    public void drop() {
        sequences.drop();
    }
}
