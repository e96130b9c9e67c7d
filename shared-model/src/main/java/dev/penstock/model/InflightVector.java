package dev.penstock.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A router's own in-flight counts: those that changed, or all non-zero ones when {@code full}.
 *
 * @param numbers replica numbers, parallel to {@code counts}
 * @param arrivals per pool, cumulative since the router started
 * @param managementUrl where the router's management port is reached, or null when it does not tell; told when {@code full}
 */
@SuppressWarnings("ArrayRecordComponent") // a vector of 2,000 counts ten times a second; compared by content nowhere
public record InflightVector(
        Header header,
        long rosterVersion,
        boolean full,
        int[] numbers,
        int[] counts,
        List<PoolArrivals> arrivals,
        @Nullable String managementUrl) {

    public InflightVector {
        if (numbers.length != counts.length) {
            throw new IllegalArgumentException(
                    "in-flight vector: " + numbers.length + " numbers but " + counts.length + " counts");
        }
    }

    /** One that does not tell where its router is managed. */
    public InflightVector(
            Header header, long rosterVersion, boolean full, int[] numbers, int[] counts, List<PoolArrivals> arrivals) {
        this(header, rosterVersion, full, numbers, counts, arrivals, null);
    }

    /** Requests that arrived for a pool since the router started. */
    public record PoolArrivals(PoolId pool, long arrived) {}
}
