package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.step.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** An answer that is sent when the last of its sequences is finished: not streamed, or embeddings. */
final class WholeAnswer {
    private final Exchange exchange;
    private final GenerationRequest request;
    private final Supplier<String> body;
    private final StepLoop loop;
    private final List<Sequence> sequences = new ArrayList<>();
    private int unfinished;

    /** @param body makes the JSON when everything is there */
    WholeAnswer(Exchange exchange, GenerationRequest request, Supplier<String> body, StepLoop loop) {
        this.exchange = exchange;
        this.request = request;
        this.body = body;
        this.loop = loop;
    }

    void start() {
        exchange.works(sequences);
        exchange.whenAbandoned(() -> sequences.forEach(loop::abort));
        unfinished = request.sequences();
        for (int i = 0; i < request.sequences(); i++) {
            sequences.add(loop.submit(request.promptOf(i).tokens(), request.outputTokens(), this::progressed));
        }
    }

    private void progressed(Sequence sequence) {
        if (sequence.finished() && --unfinished == 0) {
            exchange.answer(body.get());
        }
    }
}
