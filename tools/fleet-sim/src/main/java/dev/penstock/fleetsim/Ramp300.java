package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import org.jspecify.annotations.Nullable;

/** AIBrix's slow start over raw counts; see {@link Policy#RAMP_300S}. */
final class Ramp300 implements Picker {
    private static final double RAMP_NANOS = 300e9;
    private static final int K = 5;
    private static final double EPSILON = 4;

    private final Picker.Knowledge knowledge;
    private final Ranking ranking;
    private double warmLeast;

    Ramp300(Picker.Knowledge knowledge) {
        this.knowledge = knowledge;
        this.ranking = new Ranking(knowledge.random(), K, least -> EPSILON, this::score);
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        warmLeast = Double.POSITIVE_INFINITY;
        for (ReplicaEntry entry : Policy.pool(image)) {
            if (ramp(entry, nowNanos) == 0) warmLeast = Math.min(warmLeast, Policy.raw(entry, knowledge));
        }
        if (warmLeast == Double.POSITIVE_INFINITY) warmLeast = 0;
        return ranking.pick(image, nowNanos);
    }

    private double score(ReplicaEntry entry, long nowNanos) {
        return Policy.raw(entry, knowledge) + warmLeast * ramp(entry, nowNanos);
    }

    /** 1 for a newborn replica, 0 for an established one. */
    private double ramp(ReplicaEntry entry, long nowNanos) {
        long ageNanos = knowledge.replicas().ageNanos(entry.replica().number(), nowNanos);
        return Math.max(0, 1 - ageNanos / RAMP_NANOS);
    }
}
