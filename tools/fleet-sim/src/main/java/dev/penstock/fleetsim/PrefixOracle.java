package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Production's credit for a prompt that is there, of all replicas, by what each engine has in its cache and in flight at this
 * instant. Without the credit's bound an oracle melts the replicas that have a hot beginning, and ends with fewer hits.
 */
final class PrefixOracle implements Picker {
    private static final double LEAST_CREDIT = 2;
    private static final double CREDIT_OF_MEAN = 0.25;
    private static final double TIE = 1e-6;

    private final Replicas replicas;
    private final RandomGenerator random;

    PrefixOracle(Replicas replicas, RandomGenerator random) {
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
        for (ReplicaEntry entry : pool) sum += engine(entry).inflight();
        double whole = Math.max(LEAST_CREDIT, CREDIT_OF_MEAN * (sum / pool.length + 1));
        double perToken = whole / ask.demand().promptTokens();
        ReplicaEntry best = null;
        double least = Double.POSITIVE_INFINITY;
        for (ReplicaEntry entry : pool) {
            Engine engine = engine(entry);
            double score = engine.inflight() - perToken * engine.hitTokens(ask.demand()) + TIE * random.nextDouble();
            if (score >= least) continue;
            least = score;
            best = entry;
        }
        return best;
    }

    private Engine engine(ReplicaEntry entry) {
        return replicas.engine(entry.replica().number());
    }
}
