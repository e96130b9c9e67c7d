package dev.penstock.model;

import java.util.List;

/**
 * What changed of the prompt prefixes that replicas hold in their KV caches. Routers tell what they sent where, which is a
 * guess; collectors tell what engines said of their caches, which is not.
 */
public record PrefixRecord(Header header, List<PrefixBlocks> blocks) {
    public PrefixRecord {
        blocks = List.copyOf(blocks);
    }

    /**
     * One replica's change, to be applied in the order cleared, removed, stored. A hash covers the canonical prompt from its
     * first byte to the end of one block.
     *
     * @param stored hashes of prefixes it holds, in order of length where they belong to one prompt
     * @param cleared forget first whatever was told of it before
     */
    @SuppressWarnings("ArrayRecordComponent") // hundreds of hashes, ten times a second; compared by content nowhere
    public record PrefixBlocks(int number, long[] stored, long[] removed, boolean cleared) {}
}
