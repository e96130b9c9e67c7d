package dev.penstock.enginesim.metrics;

/** A number that only grows. Written and read on the engine's event loop. */
final class Counter implements Resettable {
    private double value;

    void add(double amount) {
        value += amount;
    }

    @Override
    public void reset() {
        value = 0;
    }

    double value() {
        return value;
    }
}
