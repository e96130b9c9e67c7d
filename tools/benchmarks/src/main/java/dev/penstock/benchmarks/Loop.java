package dev.penstock.benchmarks;

/** Work that can be done any number of times. */
interface Loop {
    void run(int operations);
}
