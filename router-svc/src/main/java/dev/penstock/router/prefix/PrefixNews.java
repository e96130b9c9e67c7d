package dev.penstock.router.prefix;

import dev.penstock.core.prefix.PrefixTable;
import java.util.Arrays;

/**
 * What one event loop sent where, until it is told to the other routers: a prefix's hash and the replica that has it now.
 * Learned at once by this router. Bounded: what is beyond is not told, and counted. One event loop's own.
 */
public final class PrefixNews {
    /** In 100 ms: 2,000 requests of 16 blocks that nobody had. */
    static final int MOST = 32_768;

    private static final int FIRST = 1_024;

    private final PrefixTable table;
    private long[] hashes = new long[FIRST];
    private int[] numbers = new int[FIRST];
    private int count;
    private long untold;

    public PrefixNews(PrefixTable table) {
        this.table = table;
    }

    /** A request with these prefixes was sent to that replica. */
    public void sent(long[] prefixes, int replicaNumber, long nowNanos) {
        for (long hash : prefixes) {
            if (table.learn(hash, replicaNumber, nowNanos)) tell(hash, replicaNumber);
        }
    }

    private void tell(long hash, int replicaNumber) {
        if (count == MOST) {
            untold++;
            return;
        }
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * count);
            numbers = Arrays.copyOf(numbers, 2 * count);
        }
        hashes[count] = hash;
        numbers[count++] = replicaNumber;
    }

    /**
     * What came together, in its order.
     *
     * @param untold what was beyond the bound
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once
    public record Batch(long[] hashes, int[] numbers, long untold) {}

    /** Takes what is there. */
    public Batch drain() {
        Batch batch = new Batch(Arrays.copyOf(hashes, count), Arrays.copyOf(numbers, count), untold);
        count = 0;
        untold = 0;
        return batch;
    }

    public boolean isEmpty() {
        return count == 0 && untold == 0;
    }
}
