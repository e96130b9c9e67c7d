package dev.penstock.enginesim.step;

import org.jspecify.annotations.Nullable;

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

    static final long NEVER = Long.MIN_VALUE;
    private static final int[] NO_SLOTS = {};

    final long number;
    final long readyNanos;
    final SequenceListener listener;
    final Work work;
    State state = State.ARRIVING;

    @Nullable
    StepSimulator owner;
    /** What the present prefill has to compute: the prompt, after a preemption the tokens generated until then, too. */
    int prefillTokens;

    int computedTokens;
    int generatedTokens;
    int cachedTokens;
    int preemptions;
    /** Blocks held, of which the first may be known ones: {@link #slots}. */
    int blocks;
    /** Per full block of the prompt its slot in the cache, or UNKNOWN. */
    int[] slots = NO_SLOTS;

    long scheduledNanos = NEVER;
    long firstTokenNanos = NEVER;
    long lastTokenNanos = NEVER;

    private final long arrivalNanos;

    Sequence(long number, Work work, long arrivalNanos, long readyNanos, SequenceListener listener) {
        this.number = number;
        this.work = work;
        this.arrivalNanos = arrivalNanos;
        this.readyNanos = readyNanos;
        this.listener = listener;
    }

    public int promptTokens() {
        return work.promptTokens();
    }

    /** Tokens it will generate; 0 for embeddings, which end with their prefill. */
    public int outputTokens() {
        return work.outputTokens();
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

    /** Tokens of the prompt that were found in the prefix cache when it was scheduled first. */
    public int cachedTokens() {
        return cachedTokens;
    }

    public int preemptions() {
        return preemptions;
    }

    boolean prefilled() {
        return computedTokens >= prefillTokens;
    }

    /** Everything it has to hold in the KV cache to go on. */
    int contextTokens() {
        return promptTokens() + generatedTokens;
    }
}
