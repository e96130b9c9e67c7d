package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The least load after a credit for what of the prompt a replica has: a part of the mean load at most. */
final class PrefixPicker implements Picker {
    static final double SHARE = Double.parseDouble(System.getProperty("share", "0.3"));
    static final double FLOOR = Double.parseDouble(System.getProperty("floor", "2"));
    static final double REF = Double.parseDouble(System.getProperty("ref", "0"));

    private static final double TIE = 1e-6;

    private final RandomGenerator random;
    private final Load load;
    private final Hit hit;

    interface Load {
        double of(ReplicaEntry entry);
    }

    interface Hit {
        /** Tokens of the prompt that the replica has. */
        double tokens(ReplicaEntry entry, Ask ask);
    }

    PrefixPicker(RandomGenerator random, Load load, Hit hit) {
        this.random = random;
        this.load = load;
        this.hit = hit;
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        throw new IllegalStateException("prefix picker: expected a request");
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, Ask ask, long nowNanos) {
        ReplicaEntry[] pool = Policy.pool(image);
        double sum = 0;
        for (ReplicaEntry entry : pool) sum += load.of(entry);
        double most = Math.max(FLOOR, SHARE * (sum / pool.length + 1));
        double per = REF == 0 ? most / ask.demand().promptTokens() : SHARE * (sum / pool.length + 1) / REF;
        ReplicaEntry best = null;
        double least = Double.POSITIVE_INFINITY;
        for (ReplicaEntry entry : pool) {
            double credit = Math.min(most, per * hit.tokens(entry, ask));
            double score = load.of(entry) + 1 - credit + TIE * random.nextDouble();
            if (score >= least) continue;
            least = score;
            best = entry;
        }
        return best;
    }
}
