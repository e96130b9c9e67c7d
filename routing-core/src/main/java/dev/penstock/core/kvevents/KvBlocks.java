package dev.penstock.core.kvevents;

import dev.penstock.core.prefix.PrefixChain;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The blocks one engine holds, seen as prefixes of the canonical prompt: the engine chains its hashes over blocks of tokens,
 * routers chain theirs over blocks of bytes, and here the one becomes the other. Of each block of the engine it is kept where
 * the chain of bytes stood behind it, and its text; the bytes that fill no block of the chain yet are found by walking up to
 * the parents, at most 4 KiB of them.
 *
 * <p>About 240 bytes per block of 16 tokens, at most {@code mostBlocks}, and of larger ones as many as have 256 bytes of text
 * each on average. What cannot be tied to the beginning of a prompt is
 * left out: a parent that is not known (its event was missed), a token that the vocabulary does not have, a key that is not
 * text, one block too many. Left out means "not known to be cached", which costs a hit and never claims one.
 *
 * <p>A block that was removed while blocks behind it stay is kept as long as these are, because their text goes on from it.
 * Used on one thread.
 */
public final class KvBlocks {
    /** One million tokens of 16 a block, and some 15 MiB. */
    public static final int MOST_BLOCKS = 65_536;

    private final Vocabulary vocabulary;
    private final String model;
    private final int mostBlocks;
    private final Listener listener;
    private static final int TEXT_BYTES_PER_BLOCK = 256;

    private final PrefixChain chain = new PrefixChain();
    private final PrefixCounts prefixes = new PrefixCounts();
    private final Map<Long, Block> hashToBlock = new HashMap<>();
    private byte[] scratch = new byte[4_096];
    private long leftOut;
    /** Of the blocks whose text or ends are kept. */
    private long textBytes;

    /** Told of each prefix that comes and goes, once. */
    public interface Listener {
        void stored(long prefixHash);

        void removed(long prefixHash);

        /** Nothing is known to be held any more. */
        void cleared();
    }

    /** A block of the engine. */
    private static final class Block {
        final long hash;
        final @Nullable Block parent;
        final byte[] text;
        /** From the prompt's first byte to this block's end. */
        final int bytes;
        /** Of them, in whole blocks of the chain. */
        final int chainedBytes;

        final int chainBlocks;
        /** Of the last of them, or the seed. */
        final long chainHash;
        /** Blocks of the chain that end inside this block. */
        final long[] ends;

        final int textBytes;

        boolean held = true;
        int children;

        Block(
                long hash,
                @Nullable Block parent,
                byte[] text,
                int bytes,
                PrefixChain chain,
                long chainHash,
                long[] ends,
                int textBytes) {
            this.hash = hash;
            this.parent = parent;
            this.text = text;
            this.bytes = bytes;
            this.chainedBytes = chain.bytes();
            this.chainBlocks = chain.blocks();
            this.chainHash = chainHash;
            this.ends = ends;
            this.textBytes = textBytes;
        }
    }

    /** @param model what clients call the engine's own model; an adapter is told in the event */
    public KvBlocks(Vocabulary vocabulary, String model, int mostBlocks, Listener listener) {
        this.vocabulary = vocabulary;
        this.model = model;
        this.mostBlocks = mostBlocks;
        this.listener = listener;
    }

    public void apply(KvEvent event) {
        switch (event) {
            case KvEvent.Stored stored -> stored(stored);
            case KvEvent.Removed removed -> {
                for (long hash : removed.hashes()) removed(hash);
            }
            case KvEvent.Cleared _ -> clear();
            case KvEvent.Ignored _ -> {}
        }
    }

    /** Forgets everything. */
    public void clear() {
        prefixes.clear();
        hashToBlock.clear();
        textBytes = 0;
        listener.cleared();
    }

    /** Blocks of the engine that are kept. */
    public int blocks() {
        return hashToBlock.size();
    }

    /** Prefixes of the canonical prompt that are held. */
    public int prefixes() {
        return prefixes.size();
    }

    /** Blocks that were left out since the start. */
    public long leftOut() {
        return leftOut;
    }

    /** Places of the table of prefixes: what {@link #visit} counts in. It can change with each event. */
    public int places() {
        return prefixes.places();
    }

    /** Shows the prefixes held in a range of places. */
    public void visit(int from, int to, LongConsumer visitor) {
        prefixes.visit(from, to, visitor);
    }

    private void stored(KvEvent.Stored event) {
        Block parent = null;
        long chainHash = 0;
        int index = 0;
        // what is known already is walked over, so that a part of an event can be new
        while (index < event.usable()) {
            Block known = hashToBlock.get(event.hashes()[index]);
            if (known == null) break;
            hold(known);
            parent = known;
            index++;
        }
        if (index == event.usable()) {
            leftOut += event.hashes().length - index;
            return;
        }
        if (index == 0 && !event.root()) {
            parent = hashToBlock.get(event.parent());
            if (parent == null || !parent.held) {
                leftOut += event.hashes().length;
                return;
            }
        }
        if (parent == null) {
            chainHash = PrefixChain.seed(event.model() == null ? model : event.model(), event.salt());
            chain.start(chainHash);
        } else {
            chainHash = parent.chainHash;
            resume(parent);
        }
        for (; index < event.usable() && room(); index++) {
            int length = text(event.tokens(), index * event.blockSize(), event.blockSize(), parent == null);
            // a block that is known further down would have a parent that differs: not this engine's chain
            if (length == Vocabulary.UNKNOWN || hashToBlock.containsKey(event.hashes()[index])) break;
            int before = chain.blocks();
            chain.add(scratch, 0, length);
            long[] ends = new long[chain.blocks() - before];
            for (int i = 0; i < ends.length; i++) ends[i] = chain.hash(before + i);
            if (ends.length > 0) chainHash = ends[ends.length - 1];
            byte[] text = new byte[chain.blocks() == PrefixChain.MAX_BLOCKS ? 0 : length];
            System.arraycopy(scratch, 0, text, 0, text.length);
            int bytes = (parent == null ? 0 : parent.bytes) + length;
            int kept = text.length > 0 || ends.length > 0 ? length : 0;
            parent = add(new Block(event.hashes()[index], parent, text, bytes, chain, chainHash, ends, kept));
        }
        leftOut += event.hashes().length - index;
    }

    private boolean room() {
        return hashToBlock.size() < mostBlocks && textBytes < (long) mostBlocks * TEXT_BYTES_PER_BLOCK;
    }

    private Block add(Block block) {
        hashToBlock.put(block.hash, block);
        textBytes += block.textBytes;
        if (block.parent != null) block.parent.children++;
        tell(block);
        return block;
    }

    private void hold(Block block) {
        if (block.held) return;
        block.held = true;
        tell(block);
    }

    private void tell(Block block) {
        for (long end : block.ends) {
            if (prefixes.add(end)) listener.stored(end);
        }
    }

    private void removed(long hash) {
        Block block = hashToBlock.get(hash);
        if (block == null || !block.held) return;
        block.held = false;
        for (long end : block.ends) {
            if (prefixes.remove(end)) listener.removed(end);
        }
        for (Block b = block; b != null && !b.held && b.children == 0; b = b.parent) {
            hashToBlock.remove(b.hash);
            textBytes -= b.textBytes;
            if (b.parent != null) b.parent.children--;
        }
    }

    /** Puts the chain where it stood behind a block. */
    private void resume(Block block) {
        chain.resume(block.chainHash, block.chainBlocks);
        int pending = block.chainBlocks == PrefixChain.MAX_BLOCKS ? 0 : block.bytes - block.chainedBytes;
        reserve(pending);
        int at = pending;
        for (Block b = block; b != null && at > 0; b = b.parent) {
            int take = Math.min(at, b.text.length);
            at -= take;
            System.arraycopy(b.text, b.text.length - take, scratch, at, take);
        }
        chain.add(scratch, 0, pending);
    }

    /** Bytes of a block's tokens, in scratch. */
    private int text(int[] tokens, int from, int count, boolean root) {
        reserve(count * vocabulary.longest());
        int at = 0;
        int first = root && vocabulary.begins(tokens[from]) ? from + 1 : from;
        for (int i = first; i < from + count; i++) {
            int length = vocabulary.write(tokens[i], scratch, at);
            if (length == Vocabulary.UNKNOWN) return Vocabulary.UNKNOWN;
            at += length;
        }
        return at;
    }

    private void reserve(int bytes) {
        if (bytes > scratch.length) scratch = new byte[Math.max(bytes, scratch.length * 2)];
    }
}
