package dev.penstock.core.capacity;

/**
 * What has been learned of a replica, as it is kept over a restart of whoever learns.
 *
 * @param hardwareClass empty = none
 * @param half requests in flight at which it does half of what it can
 * @param effortSeconds {@link Speed}: seconds of full use, decayed
 * @param all work units per second in them
 * @param each the same of each request
 * @param fit sums of {@link SaturationFit}, in its order
 */
public record LearnedCapacity(
        int number, String hardwareClass, double half, double effortSeconds, double all, double each, double[] fit) {
    public LearnedCapacity {
        require(number >= 0, number, "number", number);
        require(amount(half), number, "half", half);
        require(amount(effortSeconds), number, "effortSeconds", effortSeconds);
        require(amount(all), number, "all", all);
        require(amount(each), number, "each", each);
        require(fit.length == SaturationFit.SUMS, number, "sums of the fit", fit.length);
        for (double sum : fit) require(amount(sum), number, "fit", sum);
        fit = fit.clone();
    }

    @Override
    public double[] fit() {
        return fit.clone();
    }

    static boolean amount(double value) {
        return value >= 0 && value < Double.POSITIVE_INFINITY;
    }

    private static void require(boolean holds, int number, String field, Number value) {
        if (holds) return;
        throw new IllegalArgumentException(
                "learned capacity of replica " + number + ": " + field + " " + value + " is not what was kept");
    }
}
