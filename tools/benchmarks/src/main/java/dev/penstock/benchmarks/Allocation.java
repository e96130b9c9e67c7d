package dev.penstock.benchmarks;

/**
 * Bytes that one loop allocates when it has run for a while: buckets of the index have come to the size they keep by then,
 * as in a router that runs.
 */
final class Allocation {
    private static final int SETTLING_OPERATIONS = 1_000_000;
    private static final long PATIENCE_NANOS = 500_000_000L;

    private final long leastOperations;
    private long bytes;
    private long operations;

    Allocation(Form form) {
        this.leastOperations = form.allocationOperations();
    }

    /** Runs the loop until it has done so many, for half a second more at most. */
    void complete(Loop loop, Chunk chunk, Form form) {
        loop.run(SETTLING_OPERATIONS);
        long start = System.nanoTime();
        while (operations < leastOperations && System.nanoTime() - start < PATIENCE_NANOS) {
            chunk.measure(loop, form.chunkNanos(), 1);
            bytes += chunk.allocatedBytes();
            operations += chunk.operations();
        }
    }

    boolean complete() {
        return operations >= leastOperations;
    }

    double bytesPerOperation() {
        return (double) bytes / operations;
    }

    long operations() {
        return operations;
    }
}
