package dev.penstock.enginesim.metrics;

/** A number that only grows. Written and read on the engine's event loop. */
final class Counter {
    private double value;

    void add(double amount) {
        value += amount;
    }

    double value() {
        return value;
    }
}
