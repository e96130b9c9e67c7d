package dev.penstock.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Times a loop for a while, by batches of 16 operations: System.nanoTime costs about 25 ns and ticks as coarsely, which is a
 * tenth and more of one decision and would flatter every ratio, since both sides of it would carry the same constant. A
 * batch carries one clock call, 2 ns per operation; nothing is subtracted.
 * What a batch hides is a single slow operation: it shows a sixteenth of it, at all sizes alike. Samples are kept as they
 * are, in memory taken once, and sorted when asked for: no buckets, no error. Single-threaded.
 */
final class Chunk {
    static final int BATCH = 16;

    private static final int MOST_SAMPLES = 200_000;
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] samples = new long[MOST_SAMPLES];
    private int size;
    private long allocatedBytes;

    /** Forgets what was before, and measures for so long; slow loops longer, until there are so many samples. */
    void measure(Loop loop, long nanos, int leastSamples) {
        size = 0;
        long allocatedBefore = THREAD.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        long last = start;
        while (size < MOST_SAMPLES && (last - start < nanos || size < leastSamples)) {
            long from = System.nanoTime();
            loop.run(BATCH);
            last = System.nanoTime();
            samples[size++] = last - from;
            loop.settle();
        }
        allocatedBytes = THREAD.getCurrentThreadAllocatedBytes() - allocatedBefore;
        Arrays.sort(samples, 0, size);
    }

    /** Nanoseconds per operation that this share of the batches took at most. */
    double quantile(double share) {
        int at = (int) Math.ceil(share * size) - 1;
        return (double) samples[Math.clamp(at, 0, size - 1)] / BATCH;
    }

    long operations() {
        return (long) size * BATCH;
    }

    /** By the thread that measured, in all operations together. */
    long allocatedBytes() {
        return allocatedBytes;
    }
}
