package dev.penstock.benchmarks;

/** Bytes that one loop allocated over all its chunks, as many operations as the form asks for unless it is too slow for that. */
final class Allocation {
    private static final long PATIENCE_NANOS = 500_000_000L;

    private final long leastOperations;
    private long bytes;
    private long operations;

    Allocation(Form form) {
        this.leastOperations = form.allocationOperations();
    }

    void add(Chunk chunk) {
        bytes += chunk.allocatedBytes();
        operations += chunk.operations();
    }

    /** Runs the loop until it has done so many, for half a second more at most. */
    void complete(Loop loop, Chunk chunk, Form form) {
        long start = System.nanoTime();
        while (operations < leastOperations && System.nanoTime() - start < PATIENCE_NANOS) {
            chunk.measure(loop, form.chunkNanos(), 1);
            add(chunk);
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
