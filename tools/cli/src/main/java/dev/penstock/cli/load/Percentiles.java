package dev.penstock.cli.load;

import org.HdrHistogram.Histogram;

/** In milliseconds. */
public record Percentiles(double p50, double p90, double p99) {
    static Percentiles ofMicros(Histogram histogram) {
        return new Percentiles(millis(histogram, 50), millis(histogram, 90), millis(histogram, 99));
    }

    /** No samples: there is no such number. */
    private static double millis(Histogram histogram, double percentile) {
        return histogram.getTotalCount() == 0 ? Double.NaN : histogram.getValueAtPercentile(percentile) / 1000.0;
    }
}
