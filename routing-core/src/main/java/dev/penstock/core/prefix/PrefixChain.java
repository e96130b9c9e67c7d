package dev.penstock.core.prefix;

import org.jspecify.annotations.Nullable;

/**
 * Chained hashes of the beginning of a prompt: hash i stands for all bytes from the first to the end of block i, so equal
 * hashes mean equal prefixes and one look-up tells about all blocks before it. A buffer of the caller, used again for each
 * prompt; not thread-safe.
 *
 * <pre>
 *   blocks   bytes each   cover up to
 *   0-7      256          2 KiB     chat templates and short system prompts
 *   8-21     1 KiB        16 KiB    long ones, tools, first turns
 *   22-63    4 KiB        184 KiB   documents and long conversations: some 46,000 tokens
 *
 *   hash(i) = XXH64(bytes of block i, seed = hash(i - 1)); hash(-1) = {@link #seed}
 * </pre>
 *
 * Small blocks where prompts part early and a block is a large share of the prompt, large ones where it is not: a prompt
 * costs 64 look-ups at most. An incomplete last block has no hash: the next turn of a conversation changes it.
 */
public final class PrefixChain {
    public static final int MAX_BLOCKS = 64;

    private static final int SMALL_BLOCKS = 8;
    private static final int SMALL_BYTES = 256;
    private static final int MIDDLE_BLOCKS = 14;
    private static final int MIDDLE_BYTES = 1024;
    private static final int LARGE_BYTES = 4096;
    private static final int FIRST_LARGE = SMALL_BLOCKS + MIDDLE_BLOCKS;
    private static final int MIDDLE_FROM = SMALL_BLOCKS * SMALL_BYTES;
    private static final int LARGE_FROM = MIDDLE_FROM + MIDDLE_BLOCKS * MIDDLE_BYTES;

    private final long[] hashes = new long[MAX_BLOCKS];
    private final BlockHash hash = new BlockHash();
    private int blocks;
    private long parent;
    /** Of the block that is being filled. */
    private int missing;

    /** What all hashes of a model's prompts start from; prompts with different salts share nothing. */
    public static long seed(String model, @Nullable String salt) {
        long seed = BlockHash.of(model, 0);
        return salt == null ? seed : BlockHash.of(salt, seed);
    }

    /** Bytes that so many blocks cover. */
    public static int bytesOf(int blocks) {
        if (blocks <= SMALL_BLOCKS) return blocks * SMALL_BYTES;
        if (blocks <= FIRST_LARGE) return MIDDLE_FROM + (blocks - SMALL_BLOCKS) * MIDDLE_BYTES;
        return LARGE_FROM + (blocks - FIRST_LARGE) * LARGE_BYTES;
    }

    /** Begins a prompt. */
    public void start(long seed) {
        blocks = 0;
        parent = seed;
        open();
    }

    /**
     * Goes on where another chain stood after its last complete block; hashes of the blocks before it are not there.
     *
     * @param last hash of that block, or the seed when there was none
     * @param complete how many blocks there were
     */
    public void resume(long last, int complete) {
        blocks = complete;
        parent = last;
        open();
    }

    private void open() {
        missing = blocks == MAX_BLOCKS ? 0 : bytesOf(blocks + 1) - bytesOf(blocks);
        hash.start(parent);
    }

    /** The next bytes of the prompt, in pieces of any size; what comes after {@link #MAX_BLOCKS} is ignored. */
    public void add(byte[] bytes, int from, int length) {
        int at = from;
        int left = length;
        while (left > 0 && missing > 0) {
            int take = Math.min(left, missing);
            hash.add(bytes, at, take);
            at += take;
            left -= take;
            missing -= take;
            if (missing == 0) close(hash.end());
        }
    }

    /**
     * A whole next block that is known by an id, for those who have no bytes: a simulator. Only where no block is begun.
     */
    public void addBlock(long blockId) {
        if (blocks == MAX_BLOCKS) return;
        if (missing != bytesOf(blocks + 1) - bytesOf(blocks)) {
            throw new IllegalStateException("prefix: block " + blocks + " is begun with bytes, expected none");
        }
        close(BlockHash.of(blockId, parent));
    }

    private void close(long blockHash) {
        parent = blockHash;
        hashes[blocks++] = blockHash;
        open();
    }

    /** How many blocks are complete. */
    public int blocks() {
        return blocks;
    }

    /** Of all bytes up to the end of block i. */
    public long hash(int i) {
        return hashes[i];
    }

    /** Bytes that the complete blocks cover. */
    public int bytes() {
        return bytesOf(blocks);
    }
}
