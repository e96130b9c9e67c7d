package dev.penstock.relaybench;

import java.util.Arrays;

/** Which way a series of samples goes. */
final class Trend {
    private Trend() {}

    /**
     * Growth from the first sample to the last in percent of the median, by the median of all slopes between two samples
     * (Theil-Sen): a sample that a collection or a burst has moved does not count for more than one.
     */
    static double growthPercent(double[] samples) {
        int n = samples.length;
        if (n < 2) return 0;
        double[] slopes = new double[n * (n - 1) / 2];
        int next = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) slopes[next++] = (samples[j] - samples[i]) / (j - i);
        }
        double median = median(samples);
        return median == 0 ? 0 : 100 * median(slopes) * (n - 1) / median;
    }

    /** The same of what grows all the time: an arena that is added once is a step in one half, and no trend in the other. */
    static double steadyGrowthPercent(double[] samples) {
        int half = samples.length / 2;
        double first = growthPercent(Arrays.copyOf(samples, half));
        double second = growthPercent(Arrays.copyOfRange(samples, samples.length - half, samples.length));
        return 2 * Math.min(first, second);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
