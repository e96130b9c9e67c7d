package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.engine.StoredResponse;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.step.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * A stream in the engines' order: what opens it; per choice what opens that together with the first token, then an event a
 * token, the last one with its finish_reason; then usage, if asked for, and what marks the end. Faults of streams strike
 * here.
 */
final class StreamedAnswer implements OpenAnswers.OpenAnswer {
    private final Exchange exchange;
    private final GenerationRequest request;
    private final StreamEvents events;
    private final Dialect dialect;
    private final EngineParts engine;
    private final Words words;
    private final String answerId;
    private final SequenceSet sequences;
    private int unfinished;
    private boolean begun;
    private @Nullable Fault drawnFor;
    private boolean drawn;
    private boolean ending;

    StreamedAnswer(
            Exchange exchange,
            GenerationRequest request,
            StreamEvents events,
            Dialect dialect,
            EngineParts engine,
            Words words,
            String answerId) {
        this.exchange = exchange;
        this.request = request;
        this.events = events;
        this.dialect = dialect;
        this.engine = engine;
        this.words = words;
        this.answerId = answerId;
        this.sequences = new SequenceSet(engine);
    }

    void start() {
        if (dialect.headBeforeFirstToken()) {
            exchange.startStream();
            begin();
        }
        exchange.works(request.model(), sequences.all());
        exchange.whenAbandoned(() -> Leaving.of(engine, dialect, true, this));
        exchange.whenSettled(() -> engine.open().remove(this));
        engine.open().add(this);
        if (engine.fault().get() instanceof Fault.StreamError error && error.afterTokens() == 0 && hit(error)) {
            fail();
            return;
        }
        unfinished = request.sequences();
        for (int i = 0; i < request.sequences(); i++) {
            int index = i;
            Prompt prompt = request.promptOf(i);
            long key = words.key(prompt.text(), i % request.choices());
            engine.loop().submit(request.workOf(i), sequence -> tokenOut(sequence, index, key), sequences::add);
        }
    }

    /** What a draining engine answers: 200, no text, finish_reason {@code abort}. */
    void startAborted() {
        for (int i = 0; i < request.sequences(); i++) {
            writeOpening(i);
            exchange.write(events.lastToken(i, "", "abort"));
        }
        endAborted();
        exchange.endStream();
    }

    /** 200, and an error for its only event. */
    void startFailed(ErrorReply reply) {
        exchange.write(events.failed(exchange.inEnvelope(reply)));
        exchange.endStream();
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
        if (over()) {
            return;
        }
        for (int i = 0; i < sequences.all().size(); i++) {
            Sequence sequence = sequences.all().get(i);
            if (!sequence.finished()) {
                if (sequence.generatedTokens() == 0) {
                    writeOpening(i);
                }
                exchange.write(events.lastToken(i, "", "abort"));
            }
        }
        endAborted();
        endStream();
    }

    @Override
    public void fail() {
        if (over()) {
            return;
        }
        exchange.write(events.failed(exchange.inEnvelope(dialect.dead())));
        endStream();
    }

    private void tokenOut(Sequence sequence, int index, long key) {
        if (over()) {
            return;
        }
        Fault fault = engine.fault().get();
        int position = sequence.generatedTokens() - 1;
        String text = words.token(key, position);
        if (position == 0) {
            writeOpening(index);
        }
        String event;
        if (sequence.finished()) {
            event = events.lastToken(index, text, fault instanceof Fault.DropFinish ? null : "length");
            unfinished--;
        } else {
            event = events.token(index, text);
        }
        exchange.write(event);
        if (fault instanceof Fault.Duplicate) {
            exchange.write(event);
        }
        if (fault instanceof Fault.Truncate truncate && position + 1 >= truncate.afterTokens() && hit(truncate)) {
            ending = true;
            drop();
            exchange.cut(truncate.cut());
        } else if (fault instanceof Fault.StreamError error && position + 1 >= error.afterTokens() && hit(error)) {
            fail();
        } else if (unfinished == 0) {
            end(fault);
        }
    }

    private void end(Fault fault) {
        StreamEvents.Totals totals = new StreamEvents.Totals(
                request.promptTokens(),
                request.sequences() * request.outputTokens(),
                engine.promptDetails() ? request.cachedTokens(sequences.all()) : 0);
        if (request.includeUsage()) {
            exchange.write(events.usage(totals));
        }
        String done = events.done(totals);
        if (!(fault instanceof Fault.DropDone)) {
            exchange.write(done);
        }
        String kept = events.kept();
        if (kept != null && request.stored()) {
            String text = request.promptOf(0).text() + " " + request.text(words, 0, request.outputTokens());
            engine.kept().responses().put(answerId, new StoredResponse.Finished(kept, text));
        }
        endStream();
    }

    /** Usage is told only where the end needs it. */
    private void endAborted() {
        StreamEvents.Totals totals = new StreamEvents.Totals(request.promptTokens(), sequences.generatedTokens(), 0);
        if (request.endpoint().alwaysTellsUsage()) {
            exchange.write(events.usage(totals));
        }
        exchange.write(events.done(totals));
    }

    /** A stream that is written slowly is over for its sequences before it is for its client. */
    private boolean over() {
        return ending || !exchange.open();
    }

    private void endStream() {
        ending = true;
        drop();
        exchange.endStream();
    }

    /** Whether a fault with a share strikes this stream: drawn once. */
    private boolean hit(Fault fault) {
        if (!fault.equals(drawnFor)) {
            drawnFor = fault;
            drawn = engine.lots()
                    .hit(
                            switch (fault) {
                                case Fault.Truncate truncate -> truncate.percent();
                                case Fault.StreamError error -> error.percent();
                                default -> 100;
                            });
        }
        return drawn;
    }

    private void writeOpening(int index) {
        begin();
        String opening = events.opening(index);
        if (opening != null) {
            exchange.write(opening);
        }
    }

    private void begin() {
        if (!begun) {
            begun = true;
            exchange.write(events.first());
        }
    }

    @Override
    public void drop() {
        sequences.drop();
    }
}
