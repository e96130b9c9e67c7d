package dev.penstock.enginesim.step;

/**
 * The chained hashes of a prompt's full blocks: a block's hash covers all tokens up to its end, so that equal hashes mean
 * equal prefixes. Immutable.
 */
public final class BlockHashes {
    public static final BlockHashes NONE = new BlockHashes(0, new long[0]);

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final int tokens;
    private final long[] hashes;

    private BlockHashes(int tokens, long[] hashes) {
        this.tokens = tokens;
        this.hashes = hashes;
    }

    /**
     * Of a prompt of these tokens.
     *
     * @param salt prompts of different salts share nothing: model, LoRA, cache_salt
     */
    public static BlockHashes of(long salt, int... tokenIds) {
        long[] hashes = new long[tokenIds.length / Profile.BLOCK_TOKENS];
        long hash = mix(salt + GOLDEN);
        for (int block = 0; block < hashes.length; block++) {
            for (int i = block * Profile.BLOCK_TOKENS; i < (block + 1) * Profile.BLOCK_TOKENS; i++) {
                hash = mix(hash ^ (tokenIds[i] + GOLDEN));
            }
            hashes[block] = hash;
        }
        return new BlockHashes(tokenIds.length, hashes);
    }

    /** Of the whole prompt, the last, partly filled block included. */
    public int tokens() {
        return tokens;
    }

    int count() {
        return hashes.length;
    }

    long at(int block) {
        return hashes[block];
    }

    /** SplitMix64's finalizer. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
