package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.engine.StoredResponse;
import dev.penstock.enginesim.step.Sequence;

/** A response that is answered before it is made, and asked for later: queued, in progress, completed or cancelled. */
final class BackgroundAnswer implements OpenAnswers.OpenAnswer, StoredResponse {
    private final GenerationRequest request;
    private final Dialect dialect;
    private final EngineParts engine;
    private final Words words;
    private final String answerId;
    private final long createdSeconds;
    private final SequenceSet sequences;
    private String status = "queued";

    BackgroundAnswer(GenerationRequest request, Dialect dialect, EngineParts engine, Words words, String answerId) {
        this.request = request;
        this.dialect = dialect;
        this.engine = engine;
        this.words = words;
        this.answerId = answerId;
        this.createdSeconds = engine.seconds();
        this.sequences = new SequenceSet(engine);
    }

    void start(Exchange exchange) {
        engine.kept().responses().put(answerId, this);
        engine.open().add(this);
        exchange.answer(json());
        engine.loop().submit(request.workOf(0), this::progressed, sequences::add);
    }

    @Override
    public String id() {
        return request.rid() != null ? request.rid() : answerId;
    }

    @Override
    public String json() {
        Dialect.Answered answered = new Dialect.Answered(answerId, createdSeconds, 0);
        return dialect.generation(request, words, answered, sequences.generatedTokens(), status);
    }

    @Override
    public String conversation() {
        return request.promptOf(0).text() + " " + request.text(words, 0, sequences.generatedTokens());
    }

    @Override
    public boolean working() {
        return sequences.working();
    }

    @Override
    public void cancel() {
        end("cancelled");
    }

    @Override
    public void abort() {
        end("cancelled");
    }

    @Override
    public void fail() {
        end("failed");
    }

    @Override
    public void drop() {
        end("failed");
    }

    private void progressed(Sequence sequence) {
        if (sequence.finished()) {
            end("completed");
        } else {
            status = "in_progress";
        }
    }

    private void end(String how) {
        if (status.equals("queued") || status.equals("in_progress")) {
            status = how;
            sequences.drop();
            engine.open().remove(this);
        }
    }
}
