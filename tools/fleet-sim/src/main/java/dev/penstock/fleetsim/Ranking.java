package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One of the K lowest scores, drawn evenly, as far as they are near the lowest; ties in turn drawn evenly. */
final class Ranking implements Picker {
    /** Scores differ by more or not at all. */
    private static final double TIE = 1e-6;

    private final RandomGenerator random;
    private final DoubleUnaryOperator within;
    private final Score score;
    private final ReplicaEntry[] best;
    private final double[] scores;

    interface Score {
        double of(ReplicaEntry entry, long nowNanos);
    }

    /** The lowest. */
    Ranking(RandomGenerator random, Score score) {
        this(random, 1, least -> 0, score);
    }

    /** @param within of the lowest score: how far another may be above it */
    Ranking(RandomGenerator random, int k, DoubleUnaryOperator within, Score score) {
        this.random = random;
        this.within = within;
        this.score = score;
        this.best = new ReplicaEntry[k];
        this.scores = new double[k];
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        ReplicaEntry[] pool = Policy.pool(image);
        if (pool.length == 0) return null;
        int kept = 0;
        for (ReplicaEntry entry : pool) {
            kept = keep(entry, score.of(entry, nowNanos) + TIE * random.nextDouble(), kept);
        }
        double most = scores[0] + within.applyAsDouble(scores[0]) + TIE;
        int near = 1;
        while (near < kept && scores[near] <= most) near++;
        return best[near == 1 ? 0 : random.nextInt(near)];
    }

    /** Insertion into the kept ones, which are sorted; returns how many there are now. */
    private int keep(ReplicaEntry entry, double value, int kept) {
        if (kept == best.length && value >= scores[kept - 1]) return kept;
        int place = kept == best.length ? kept - 1 : kept;
        while (place > 0 && scores[place - 1] > value) {
            scores[place] = scores[place - 1];
            best[place] = best[place - 1];
            place--;
        }
        scores[place] = value;
        best[place] = entry;
        return Math.min(best.length, kept + 1);
    }
}
