package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.step.Sequence;
import java.util.ArrayList;
import java.util.List;

/** The sequences that work for one answer. */
final class SequenceSet {
    private final EngineParts engine;
    private final List<Sequence> sequences = new ArrayList<>();

    SequenceSet(EngineParts engine) {
        this.engine = engine;
    }

    List<Sequence> all() {
        return sequences;
    }

    void add(Sequence sequence) {
        sequences.add(sequence);
    }

    boolean working() {
        return sequences.stream().anyMatch(sequence -> switch (sequence.state()) {
            case ARRIVING, WAITING, RUNNING -> true;
            case FINISHED, ABORTED -> false;
        });
    }

    void drop() {
        sequences.forEach(engine.loop()::abort);
    }

    /** Of all of them. */
    int generatedTokens() {
        return sequences.stream().mapToInt(Sequence::generatedTokens).sum();
    }

    /** Of the one that has got least far. */
    int fewestTokens() {
        return sequences.stream().mapToInt(Sequence::generatedTokens).min().orElse(0);
    }
}
