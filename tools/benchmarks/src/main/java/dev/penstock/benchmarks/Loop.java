package dev.penstock.benchmarks;

/** Work that can be done any number of times. */
interface Loop {
    void run(int operations);

    /** Called after each run, and not timed: ends what the run began. */
    default void settle() {}
}
