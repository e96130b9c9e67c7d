package dev.penstock.core.kvevents;

import org.jspecify.annotations.Nullable;

/**
 * What an engine tells of blocks of its KV cache. Block hashes are the engine's own, folded to 64 bits; they mean something at
 * that engine only.
 */
public sealed interface KvEvent {

    /**
     * Blocks that follow one another were computed and can be found.
     *
     * @param parent hash of the block before the first one
     * @param root the first one begins a prompt: parent means nothing
     * @param tokens of all the blocks, {@code blockSize} each
     * @param model name of the adapter, or null = the engine's own model
     * @param salt the request's cache_salt, told with the first block of a prompt
     * @param usable how many of the blocks, from the first, depend on nothing but text: a block with an image, an embedding or
     *     a key that nobody knows ends the prefix that bytes can tell
     */
    @SuppressWarnings("ArrayRecordComponent") // up to a million tokens; compared by content nowhere
    record Stored(
            long parent,
            boolean root,
            long[] hashes,
            int[] tokens,
            int blockSize,
            @Nullable String model,
            @Nullable String salt,
            int usable)
            implements KvEvent {
        public Stored {
            if (blockSize < 1 || tokens.length != (long) hashes.length * blockSize) {
                throw new IllegalArgumentException("expected " + hashes.length + " blocks of " + blockSize
                        + " tokens, got " + tokens.length + " tokens");
            }
        }
    }

    /** Blocks left the cache. */
    @SuppressWarnings("ArrayRecordComponent") // compared by content nowhere
    record Removed(long[] hashes) implements KvEvent {}

    /** All blocks left the cache. */
    record Cleared() implements KvEvent {}

    /** Of a slower tier, of another group of layers, or of a kind that is not known: nothing to do. */
    record Ignored() implements KvEvent {}
}
