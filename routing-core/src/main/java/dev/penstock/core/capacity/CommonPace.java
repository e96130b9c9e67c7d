package dev.penstock.core.capacity;

import java.util.Collection;

/**
 * How much faster or slower than expected all replicas of a pool look: the median over replicas of what was done in the last
 * 5 s or so over what was expected. Whatever moves all alike is not theirs. Requests of another kind do (nobody knows exactly
 * how many output tokens a prompt token is worth), and so do a runtime's update and a hot day. All that is remembered follows,
 * slowly (60 s), so that a swing of load over a minute, under which expectations are wrong as long as h is, is not taken for
 * it. With fewer than five to compare nothing is taken to be common. One writer.
 */
final class CommonPace {
    private static final double LATE_SECONDS = 5;
    private static final double FOLLOW_SECONDS = 300;
    private static final int FEWEST = 5;

    private double[] ratios = {};

    /** Takes the ticks of the replicas into account and has them follow; returns the common pace, 1 = as expected. */
    double follow(Collection<ReplicaCapacity> replicas, double seconds) {
        if (ratios.length < replicas.size()) ratios = new double[replicas.size()];
        double keep = Math.exp(-seconds / LATE_SECONDS);
        int count = 0;
        for (ReplicaCapacity each : replicas) {
            each.fadeLate(keep);
            if (each.doneOverExpected() > 0) ratios[count++] = each.doneOverExpected();
        }
        if (count < FEWEST) return 1;
        double common = CapacityLearner.median(ratios, count);
        double factor = Math.pow(common, 1 - Math.exp(-seconds / FOLLOW_SECONDS));
        for (ReplicaCapacity each : replicas) each.scale(factor);
        return common / factor;
    }
}
