package dev.penstock.core.pick;

/**
 * Orders replicas of the same load by one number drawn per decision: the smallest key wins. Keys are the outputs of
 * SplitMix64 that begin at the draw, one per replica number, so that no two are equal, each is as likely to be the
 * smallest, and whoever knows the draw can break the tie again.
 */
public final class TieBreak {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private TieBreak() {}

    public static long key(long draw, int replicaNumber) {
        long z = draw + replicaNumber * GOLDEN_GAMMA;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
