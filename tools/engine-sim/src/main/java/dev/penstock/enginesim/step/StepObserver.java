package dev.penstock.enginesim.step;

/** Watches all sequences of an engine; the metrics page is one. Called on the simulator's thread. */
public interface StepObserver {
    StepObserver NONE = new StepObserver() {};

    /** A step over this many tokens ended. */
    default void stepEnded(int tokens) {}

    /** The prompt is computed, and its first token (if it wants any) is out. */
    default void prefilled(Sequence sequence) {}

    /** A token after the first, this long after the one before. */
    default void decoded(Sequence sequence, long gapNanos) {}

    default void finished(Sequence sequence) {}

    default void aborted(Sequence sequence) {}
}
