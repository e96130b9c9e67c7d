package dev.penstock.enginesim.step;

/**
 * One prompt on its way through the engine. Written by {@link StepSimulator} alone; its listener reads it inside
 * {@link SequenceListener#progressed}. Times are nanoseconds of the simulator's clock.
 */
public final class Sequence {
    /** Where a sequence stands; the last two are final. */
    public enum State {
        /** Being tokenized; the scheduler has not seen it. */
        ARRIVING,
        WAITING,
        RUNNING,
        FINISHED,
        ABORTED
    }

    private static final long NEVER = Long.MIN_VALUE;

    final long number;
    final long readyNanos;
    final SequenceListener listener;
    State state = State.ARRIVING;
    int computedPromptTokens;
    int generatedTokens;
    long scheduledNanos = NEVER;
    long firstTokenNanos = NEVER;
    long lastTokenNanos = NEVER;

    private final int promptTokens;
    private final int outputTokens;
    private final long arrivalNanos;

    Sequence(
            long number,
            int promptTokens,
            int outputTokens,
            long arrivalNanos,
            long readyNanos,
            SequenceListener listener) {
        this.number = number;
        this.promptTokens = promptTokens;
        this.outputTokens = outputTokens;
        this.arrivalNanos = arrivalNanos;
        this.readyNanos = readyNanos;
        this.listener = listener;
    }

    public int promptTokens() {
        return promptTokens;
    }

    /** Tokens it will generate; 0 for embeddings, which end with their prefill. */
    public int outputTokens() {
        return outputTokens;
    }

    public int generatedTokens() {
        return generatedTokens;
    }

    public State state() {
        return state;
    }

    public boolean finished() {
        return state == State.FINISHED;
    }

    public long arrivalNanos() {
        return arrivalNanos;
    }

    /** When it entered the waiting queue. */
    public long readyNanos() {
        return readyNanos;
    }

    public long scheduledNanos() {
        return scheduledNanos;
    }

    public long firstTokenNanos() {
        return firstTokenNanos;
    }

    public long lastTokenNanos() {
        return lastTokenNanos;
    }

    boolean prefilled() {
        return computedPromptTokens == promptTokens;
    }

    int contextTokens() {
        return computedPromptTokens + generatedTokens;
    }

    int reservedBlocks() {
        return Profile.blocks(promptTokens + outputTokens);
    }

    int usedBlocks() {
        return Profile.blocks(contextTokens());
    }
}
