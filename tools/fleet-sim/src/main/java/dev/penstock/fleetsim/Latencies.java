package dev.penstock.fleetsim;

import java.util.Arrays;

/** Durations of one run: all of them while it runs, its thousandths after that. A scenario keeps some hundreds of runs. */
final class Latencies {
    private static final int QUANTILES = 1_000;

    private long[] nanos = new long[1024];
    private int size;
    private long[] quantiles = {};

    void add(long each) {
        if (size == nanos.length) nanos = Arrays.copyOf(nanos, 2 * size);
        nanos[size++] = each;
    }

    int size() {
        return size;
    }

    /** The run is over: nothing is added any more. */
    void seal() {
        Arrays.sort(nanos, 0, size);
        quantiles = new long[size == 0 ? 0 : QUANTILES];
        for (int i = 0; i < quantiles.length; i++) quantiles[i] = nanos[place((i + 1.0) / QUANTILES, size)];
        nanos = new long[0];
    }

    /**
     * The smallest that is not less than that share of all; 0 of none.
     *
     * @param quantile a whole number of thousandths
     */
    double seconds(double quantile) {
        return quantiles.length == 0 ? 0 : quantiles[place(quantile, QUANTILES)] / 1e9;
    }

    private static int place(double quantile, int of) {
        // 0.99 x 1,000 is a little more than 990 in binary.
        return Math.max(0, (int) Math.ceil(quantile * of - 1e-6) - 1);
    }
}
