package dev.penstock.fleetsim;

import dev.penstock.core.prefix.PrefixChain;
import java.util.Arrays;
import java.util.List;

/**
 * The whole blocks of a prompt by their ids: equal ids are equal blocks after equal beginnings. Of 512 tokens, which are taken
 * as 2 KiB of text, as in Mooncake's traces.
 */
final class PromptBlocks {
    static final int TOKENS = 512;
    static final PromptBlocks NONE = new PromptBlocks(new long[0]);

    private static final long COPY_IDS = 1L << 40;
    private static final int BYTES_PER_TOKEN = 4;
    private static final int BYTES = TOKENS * BYTES_PER_TOKEN;

    private final long[] ids;

    private PromptBlocks(long[] ids) {
        this.ids = ids;
    }

    /** An incomplete last block is in no cache. */
    static PromptBlocks of(List<Long> ids, int promptTokens) {
        int whole = Math.min(ids.size(), promptTokens / TOKENS);
        if (whole == 0) return NONE;
        return new PromptBlocks(
                ids.subList(0, whole).stream().mapToLong(Long::longValue).toArray());
    }

    static PromptBlocks of(long[] ids, int count) {
        return new PromptBlocks(Arrays.copyOf(ids, count));
    }

    /** The same of other users, who share the first block of all only. */
    PromptBlocks ofCopy(int copy, PromptBlocks first) {
        if (copy == 0 || ids.length == 0) return this;
        long[] others = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            boolean shared = first.ids.length > 0 && ids[i] == first.ids[0];
            others[i] = shared ? ids[i] : ids[i] + copy * COPY_IDS;
        }
        return new PromptBlocks(others);
    }

    int size() {
        return ids.length;
    }

    long id(int i) {
        return ids[i];
    }

    /** The production's blocks: several in one of these, or one over two of these, known by the last one it covers. */
    void chain(PrefixChain into, long seed) {
        into.start(seed);
        while (into.blocks() < PrefixChain.MAX_BLOCKS) {
            int end = PrefixChain.bytesOf(into.blocks() + 1);
            int last = (end - 1) / BYTES;
            if (last >= ids.length) return;
            into.addBlock(ids[last]);
        }
    }

    static int bytesOf(int tokens) {
        return tokens * BYTES_PER_TOKEN;
    }

    /** Tokens that so many of the production's blocks cover. */
    static int tokensOf(int chainBlocks) {
        return PrefixChain.bytesOf(chainBlocks) / BYTES_PER_TOKEN;
    }
}
