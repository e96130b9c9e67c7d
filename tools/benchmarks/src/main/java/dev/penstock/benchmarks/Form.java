package dev.penstock.benchmarks;

/**
 * How long to measure.
 *
 * @param rounds each times every loop once, one after the other, so that whatever else the machine does hits all alike
 * @param chunkMillis one loop in one round: so long that the first milliseconds, in which its fleet comes back into the
 *     processor's caches from the other loops' turns, are less than a hundredth
 * @param leastSamples of one chunk, however slow the loop
 * @param allocationOperations of each loop: fewer than a million can't tell a hundredth of a byte from nothing
 * @param jmhIterations measured, after half as many of warm-up
 */
record Form(
        int rounds,
        int chunkMillis,
        int warmUpMillis,
        int leastSamples,
        int allocationOperations,
        int jmhIterations,
        int jmhMillis) {
    /** 25 s at most. */
    static final Form SMALL = new Form(5, 300, 500, 50, 1_000_000, 3, 500);

    static final Form FULL = new Form(15, 1_000, 2_000, 200, 1_000_000, 10, 2_000);

    long chunkNanos() {
        return chunkMillis * 1_000_000L;
    }

    long warmUpNanos() {
        return warmUpMillis * 1_000_000L;
    }
}
