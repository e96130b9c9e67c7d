package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The beginning of the prompt decides alone: the replica that weighs most for it. */
final class HashOnly implements Picker {
    /** 2,048 tokens. */
    private static final int BLOCKS = 4;

    private final RandomGenerator random;

    HashOnly(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        return heaviest(image, random.nextLong());
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, Ask ask, long nowNanos) {
        PromptBlocks blocks = ask.demand().blocks();
        return blocks.size() == 0
                ? pick(image, nowNanos)
                : heaviest(image, blocks.id(Math.min(blocks.size(), BLOCKS) - 1));
    }

    private static @Nullable ReplicaEntry heaviest(RosterImage image, long key) {
        ReplicaEntry best = null;
        long most = Long.MIN_VALUE;
        for (ReplicaEntry entry : Policy.pool(image)) {
            long weight = mixed(mixed(key) ^ entry.replica().number());
            if (weight <= most) continue;
            most = weight;
            best = entry;
        }
        return best;
    }

    /** SplitMix64's. */
    private static long mixed(long value) {
        long mixed = value + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
