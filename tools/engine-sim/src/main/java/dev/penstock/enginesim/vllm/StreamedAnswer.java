package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.step.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A stream in vLLM's order: per choice the role chunk together with the first token, then a chunk a token, the last one
 * with its finish_reason; then usage, if asked for, and [DONE].
 */
final class StreamedAnswer {
    private final Exchange exchange;
    private final GenerationRequest request;
    private final StreamFrames frames;
    private final Words words;
    private final StepLoop loop;
    private final Supplier<Fault> fault;
    private final List<Sequence> sequences = new ArrayList<>();
    private int unfinished;

    StreamedAnswer(
            Exchange exchange,
            GenerationRequest request,
            StreamFrames frames,
            Words words,
            StepLoop loop,
            Supplier<Fault> fault) {
        this.exchange = exchange;
        this.request = request;
        this.frames = frames;
        this.words = words;
        this.loop = loop;
        this.fault = fault;
    }

    void start() {
        exchange.startStream();
        exchange.works(sequences);
        exchange.whenAbandoned(this::abortAll);
        unfinished = request.sequences();
        for (int i = 0; i < request.sequences(); i++) {
            int index = i;
            Prompt prompt = request.promptOf(i);
            long key = words.key(prompt.text(), i % request.choices());
            sequences.add(
                    loop.submit(prompt.tokens(), request.outputTokens(), sequence -> tokenOut(sequence, index, key)));
        }
    }

    /** What a draining engine answers: 200, no text, finish_reason {@code abort}. */
    void startAborted() {
        exchange.startStream();
        for (int i = 0; i < request.sequences(); i++) {
            writeOpening(i);
            exchange.write(frames.lastToken(i, "", "abort"));
        }
        exchange.write(StreamFrames.DONE);
        exchange.endStream();
    }

    private void tokenOut(Sequence sequence, int index, long key) {
        if (!exchange.open()) {
            return;
        }
        int position = sequence.generatedTokens() - 1;
        String text = words.token(key, position);
        if (position == 0) {
            writeOpening(index);
        }
        if (sequence.finished()) {
            exchange.write(frames.lastToken(index, text, "length"));
            unfinished--;
        } else {
            exchange.write(frames.token(index, text));
        }
        if (fault.get() instanceof Fault.Truncate truncate && position + 1 >= truncate.afterTokens()) {
            // First the scheduler: whoever sees the connection close may count on an idle engine.
            abortAll();
            exchange.cut();
        } else if (unfinished == 0) {
            end();
        }
    }

    private void end() {
        if (request.includeUsage()) {
            exchange.write(frames.usage(request.promptTokens(), request.sequences() * request.outputTokens()));
        }
        if (!(fault.get() instanceof Fault.DropDone)) {
            exchange.write(StreamFrames.DONE);
        }
        exchange.endStream();
    }

    private void writeOpening(int index) {
        String opening = frames.opening(index);
        if (opening != null) {
            exchange.write(opening);
        }
    }

    private void abortAll() {
        sequences.forEach(loop::abort);
    }
}
