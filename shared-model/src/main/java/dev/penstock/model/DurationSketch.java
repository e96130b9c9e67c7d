package dev.penstock.model;

import java.util.Arrays;

/**
 * A log-linear histogram of durations from 1 us to about 71 minutes: 8 buckets per power of two, so a quantile is off by
 * at most 12.5 %. Small enough to send four times a second per replica, and two sketches add up to the sketch of both.
 * One writer; not shared between threads.
 */
public final class DurationSketch {
    /** Values below 8 us have a bucket each; then 8 per octave up to 2^32 us. */
    public static final int BUCKETS = 8 + (32 - 3) * 8;

    private final int[] counts = new int[BUCKETS];
    private long total;

    public static int bucketOf(long micros) {
        if (micros < 8) return (int) Math.max(0, micros);
        long capped = Math.min(micros, (1L << 32) - 1);
        int octave = 63 - Long.numberOfLeadingZeros(capped);
        return 8 + (octave - 3) * 8 + (int) ((capped >>> (octave - 3)) & 7);
    }

    /** Upper edge of a bucket in microseconds, exclusive. */
    public static long upperMicros(int bucket) {
        if (bucket < 8) return bucket + 1L;
        int octave = (bucket - 8) / 8 + 3;
        long step = 1L << (octave - 3);
        return (1L << octave) + ((bucket - 8) % 8 + 1) * step;
    }

    public void record(long micros) {
        add(bucketOf(micros), 1);
    }

    public void add(int bucket, int count) {
        counts[bucket] += count;
        total += count;
    }

    public void addAll(DurationSketch other) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        total += other.total;
    }

    public int count(int bucket) {
        return counts[bucket];
    }

    public long total() {
        return total;
    }

    /** Upper edge of the bucket that holds the quantile, in microseconds; 0 when empty. */
    public long quantileMicros(double quantile) {
        long rank = (long) Math.ceil(quantile * total);
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            seen += counts[bucket];
            if (seen >= rank && seen > 0) return upperMicros(bucket);
        }
        return 0;
    }

    public void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DurationSketch sketch && Arrays.equals(counts, sketch.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }
}
