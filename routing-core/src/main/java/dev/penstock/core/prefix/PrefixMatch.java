package dev.penstock.core.prefix;

/**
 * Who has how much of a prompt. A buffer of the caller, filled by {@link PrefixTable#find}; not thread-safe.
 *
 * <p>Blocks that so many replicas have that it favours none of them are {@link #wideBlocks}: of an owner only what goes beyond
 * them is its advantage.
 */
public final class PrefixMatch {
    public static final int MOST_OWNERS = 4;

    private final int[] replicas = new int[MOST_OWNERS];
    private final int[] blocks = new int[MOST_OWNERS];
    private int owners;
    private int wideBlocks;

    /** What a search has read already: of block i, where its row begins in the table, valid if bit i of {@link #looked}. */
    final int[] rows = new int[PrefixChain.MAX_BLOCKS];

    long looked;

    /** How many are known, the longest match first. */
    public int owners() {
        return owners;
    }

    /** The number of an owner. */
    public int replica(int i) {
        return replicas[i];
    }

    /** How many blocks of the prompt it has, from the first on. */
    public int blocks(int i) {
        return blocks[i];
    }

    /** How many blocks, from the first on, more replicas have than are told. */
    public int wideBlocks() {
        return wideBlocks;
    }

    /** How many blocks a replica has, as far as is known. */
    public int blocksOf(int replicaNumber) {
        for (int i = 0; i < owners; i++) if (replicas[i] == replicaNumber) return blocks[i];
        return wideBlocks;
    }

    public void clear() {
        owners = 0;
        wideBlocks = 0;
        looked = 0;
    }

    boolean full() {
        return owners == MOST_OWNERS;
    }

    boolean has(int replicaNumber) {
        for (int i = 0; i < owners; i++) if (replicas[i] == replicaNumber) return true;
        return false;
    }

    void add(int replicaNumber, int matched) {
        replicas[owners] = replicaNumber;
        blocks[owners++] = matched;
    }

    void wide(int matched) {
        wideBlocks = matched;
    }
}
