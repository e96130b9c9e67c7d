package dev.penstock.enginesim.step;

/** Told of blocks that can be found in the cache from now on, and no longer. Called inside a step. */
public interface KvListener {
    KvListener NONE = new KvListener() {
        @Override
        public void stored(BlockHashes prompt, int block) {}

        @Override
        public void removed(long hash) {}

        @Override
        public void cleared() {}
    };

    /** A block of a prompt was computed; the blocks before it can be found too. */
    void stored(BlockHashes prompt, int block);

    void removed(long hash);

    /** All of them are gone. */
    void cleared();
}
