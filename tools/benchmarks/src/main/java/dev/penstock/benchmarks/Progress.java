package dev.penstock.benchmarks;

/** Told before each step. */
public interface Progress {
    void step(String what);
}
