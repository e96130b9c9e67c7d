package dev.penstock.enginesim.step;

/** Watches all sequences of an engine; the metrics page is one. Called on the simulator's thread. */
public interface StepObserver {
    StepObserver NONE = new StepObserver() {};

    /** A step over this many tokens ended, some of which belonged to prompts. */
    default void stepEnded(int tokens, int prefillTokens) {}

    /** Taken out of the queue for the first time; {@link Sequence#cachedTokens} is known. */
    default void scheduled(Sequence sequence) {}

    /** Lost its KV blocks and went back to the head of the queue. */
    default void preempted(Sequence sequence) {}

    /** The prompt is computed, and its first token (if it wants any) is out. */
    default void prefilled(Sequence sequence) {}

    /** A token after the first, this long after the one before. */
    default void decoded(Sequence sequence, long gapNanos) {}

    default void finished(Sequence sequence) {}

    default void aborted(Sequence sequence) {}
}
