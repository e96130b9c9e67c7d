package dev.penstock.enginesim.step;

import org.jspecify.annotations.Nullable;

/**
 * The chained hashes of a prompt's full blocks: a block's hash covers all tokens up to its end, so that equal hashes mean
 * equal prefixes. Immutable.
 */
public final class BlockHashes {
    public static final int BLOCK_TOKENS = Profile.BLOCK_TOKENS;

    public static final BlockHashes NONE = new BlockHashes(0, new long[0], PromptKey.of(0), null, 0);

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final int tokens;
    private final long[] hashes;
    private final PromptKey key;
    private final int @Nullable [] tokenIds;
    private final int textBlocks;

    private BlockHashes(int tokens, long[] hashes, PromptKey key, int @Nullable [] tokenIds, int textBlocks) {
        this.tokens = tokens;
        this.hashes = hashes;
        this.key = key;
        this.tokenIds = tokenIds;
        this.textBlocks = textBlocks;
    }

    /**
     * Of a prompt of these tokens.
     *
     * @param salt prompts of different salts share nothing: model, LoRA, cache_salt
     */
    public static BlockHashes of(long salt, int... tokenIds) {
        return of(PromptKey.of(salt), tokenIds.length, tokenIds);
    }

    /**
     * Of a prompt of these tokens.
     *
     * @param textTokens how many of them, from the first, stand for text
     */
    public static BlockHashes of(PromptKey key, int textTokens, int... tokenIds) {
        long[] hashes = new long[tokenIds.length / Profile.BLOCK_TOKENS];
        long hash = mix(key.salt() + GOLDEN);
        for (int block = 0; block < hashes.length; block++) {
            for (int i = block * Profile.BLOCK_TOKENS; i < (block + 1) * Profile.BLOCK_TOKENS; i++) {
                hash = mix(hash ^ (tokenIds[i] + GOLDEN));
            }
            hashes[block] = hash;
        }
        return new BlockHashes(
                tokenIds.length, hashes, key, key.keepsTokens() ? tokenIds : null, textTokens / Profile.BLOCK_TOKENS);
    }

    /** Of the whole prompt, the last, partly filled block included. */
    public int tokens() {
        return tokens;
    }

    public int count() {
        return hashes.length;
    }

    public long at(int block) {
        return hashes[block];
    }

    /** What it shares blocks by, besides its tokens. */
    public PromptKey key() {
        return key;
    }

    /** Of the whole prompt, or null unless the key asks to keep them. */
    public int @Nullable [] tokenIds() {
        return tokenIds;
    }

    /** Blocks, from the first, that stand for nothing but text. */
    public int textBlocks() {
        return textBlocks;
    }

    /** SplitMix64's finalizer. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
