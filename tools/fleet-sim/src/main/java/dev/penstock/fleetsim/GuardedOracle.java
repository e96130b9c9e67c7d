package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The replica that has most of the prompt, of those that have no more in flight than a part above the mean; of like ones the
 * least loaded. Knows what every engine has in its cache and in flight at this instant.
 */
final class GuardedOracle implements Picker {
    static final double MOST_OVER_MEAN = Double.parseDouble(System.getProperty("guard", "1.2"));

    private final Replicas replicas;
    private final RandomGenerator random;

    GuardedOracle(Replicas replicas, RandomGenerator random) {
        this.replicas = replicas;
        this.random = random;
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        throw new IllegalStateException("oracle: expected a request");
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, Ask ask, long nowNanos) {
        ReplicaEntry[] pool = Policy.pool(image);
        double sum = 0;
        for (ReplicaEntry entry : pool) sum += inflight(entry);
        double most = Math.max(1, MOST_OVER_MEAN * sum / pool.length);
        ReplicaEntry best = null;
        double highest = Double.NEGATIVE_INFINITY;
        for (ReplicaEntry entry : pool) {
            int inflight = inflight(entry);
            double hit = inflight + 1 > most ? -1 : engine(entry).hitTokens(ask.demand());
            double score = hit - 1e-3 * (inflight + random.nextDouble());
            if (score <= highest) continue;
            highest = score;
            best = entry;
        }
        return best;
    }

    private int inflight(ReplicaEntry entry) {
        return engine(entry).inflight();
    }

    private Engine engine(ReplicaEntry entry) {
        return replicas.engine(entry.replica().number());
    }
}
