package dev.penstock.fleetsim;

import java.util.Arrays;

/** Durations of one run, all of them. */
final class Latencies {
    private long[] nanos = new long[1024];
    private int size;
    private boolean sorted;

    void add(long each) {
        if (size == nanos.length) nanos = Arrays.copyOf(nanos, 2 * size);
        nanos[size++] = each;
        sorted = false;
    }

    int size() {
        return size;
    }

    /** The smallest that is not less than that share of all; 0 of none. */
    double seconds(double quantile) {
        if (size == 0) return 0;
        if (!sorted) Arrays.sort(nanos, 0, size);
        sorted = true;
        return nanos[Math.max(0, (int) Math.ceil(quantile * size) - 1)] / 1e9;
    }
}
