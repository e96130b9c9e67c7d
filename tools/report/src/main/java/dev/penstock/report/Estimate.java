package dev.penstock.report;

import java.util.Arrays;

/**
 * A figure over seeds or rounds.
 *
 * @param ci95 half the width of the 95 % confidence interval of the mean (Student's t), unless {@link #ofMedian}; 0 for a single seed
 */
public record Estimate(double mean, double ci95) {
    /** Quantiles 0.975 of Student's t with 1, 2, ... degrees of freedom. */
    private static final double[] T = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private static final double T_MANY = 1.96;

    public static Estimate of(double[] values) {
        int n = values.length;
        double sum = 0;
        for (double each : values) sum += each;
        double mean = sum / n;
        if (n == 1) return new Estimate(mean, 0);
        double squares = 0;
        for (double each : values) squares += (each - mean) * (each - mean);
        double t = n - 2 < T.length ? T[n - 2] : T_MANY;
        return new Estimate(mean, t * Math.sqrt(squares / (n - 1) / n));
    }

    /**
     * The median of rounds on a machine that others use too: one bad round moves it little. ci95 is half of the narrowest
     * interval between two rounds, as far from the ends as each other, that holds the median of what might be measured with
     * 95 % probability (of nine the second to the eighth, of fewer than six all there is). Named mean, as every figure is.
     */
    public static Estimate ofMedian(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        int outside = outside(n);
        double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
        return new Estimate(median, (sorted[n - 1 - outside] - sorted[outside]) / 2);
    }

    /** Values to leave out at either end: the most k with P(Binomial(n, 1/2) <= k) <= 2.5 %. */
    private static int outside(int n) {
        double binomial = Math.pow(0.5, n);
        double below = 0;
        for (int k = 0; ; k++) {
            below += binomial;
            if (below > 0.025) return Math.max(0, k - 1);
            binomial = binomial * (n - k) / (k + 1);
        }
    }
}
