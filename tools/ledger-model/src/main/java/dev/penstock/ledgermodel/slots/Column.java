package dev.penstock.ledgermodel.slots;

import dev.penstock.report.Estimate;
import java.util.Arrays;

/** One figure over seeds, of the worst scene in each. */
final class Column {
    private final double[] worst;
    private final boolean highIsBad;

    private Column(int seeds, boolean highIsBad) {
        this.highIsBad = highIsBad;
        worst = new double[seeds];
        Arrays.fill(worst, highIsBad ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }

    static Column highest(int seeds) {
        return new Column(seeds, true);
    }

    static Column lowest(int seeds) {
        return new Column(seeds, false);
    }

    void add(int seed, double value) {
        worst[seed] = highIsBad ? Math.max(worst[seed], value) : Math.min(worst[seed], value);
    }

    Estimate estimate() {
        return Estimate.of(worst);
    }
}
