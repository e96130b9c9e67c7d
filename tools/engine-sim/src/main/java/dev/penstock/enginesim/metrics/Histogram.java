package dev.penstock.enginesim.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Counts per upper bound, and the sum. Written and read on the engine's event loop. */
final class Histogram implements Resettable {
    private final double[] bounds;
    private final long[] counts;
    private double sum;
    private long count;

    /** @param bounds upper bounds, ascending, without the infinite one */
    Histogram(double... bounds) {
        this.bounds = bounds.clone();
        this.counts = new long[bounds.length + 1];
    }

    void observe(double value) {
        int at = Arrays.binarySearch(bounds, value);
        counts[at >= 0 ? at : -at - 1]++;
        sum += value;
        count++;
    }

    @Override
    public void reset() {
        Arrays.fill(counts, 0);
        sum = 0;
        count = 0;
    }

    /** Lines in page order: cumulative buckets, count, sum. */
    List<SampleLine> lines(String name, Map<String, String> labels) {
        List<SampleLine> lines = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            int upTo = i;
            StringBuilder bound = new StringBuilder();
            SampleNumber.append(bound, i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY);
            Map<String, String> withBound = Labels.with(labels, "le", bound.toString());
            lines.add(SampleLine.of(name + "_bucket", withBound, () -> cumulative(upTo)));
        }
        lines.add(SampleLine.of(name + "_count", labels, () -> count));
        lines.add(SampleLine.of(name + "_sum", labels, () -> sum));
        return lines;
    }

    private long cumulative(int upTo) {
        long total = 0;
        for (int i = 0; i <= upTo; i++) {
            total += counts[i];
        }
        return total;
    }
}
