package dev.penstock.enginesim.kvevents;

import dev.penstock.enginesim.step.BlockHashes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * A message as the engine writes it: {@code [time in seconds, [events], rank]}.
 *
 * <pre>
 *   arrays  ["BlockStored", hashes, parent, tokens, block size, lora id, medium, lora name, keys of each block]
 *   maps    {"type": "BlockStored", "block_hashes": ..., ...}, what is null left out
 *   SGLang  arrays up to the medium, one block per event, hashes as signed numbers
 * </pre>
 */
final class KvEventWriter {
    private static final int DIGEST_BYTES = 32;
    private static final String MEDIUM = "GPU";

    private final boolean sglang;
    private final boolean maps;
    private final boolean intHashes;

    KvEventWriter(KvEventOptions options, boolean sglang) {
        this.sglang = sglang;
        this.maps = options.maps() && !sglang;
        this.intHashes = options.intHashes() || sglang;
    }

    byte[] write(double seconds, List<KvEventBatch.Change> changes) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(3).packDouble(seconds).packArrayHeader(changes.size());
            for (KvEventBatch.Change change : changes) {
                switch (change) {
                    case KvEventBatch.Stored stored -> stored(packer, stored);
                    case KvEventBatch.Removed removed -> removed(packer, removed.hashes());
                    case KvEventBatch.Cleared _ -> tag(packer, 1, 1, "AllBlocksCleared");
                }
            }
            packer.packInt(0);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stored(MessageBufferPacker packer, KvEventBatch.Stored stored) throws IOException {
        BlockHashes prompt = stored.prompt();
        String adapter = prompt.key().adapter();
        boolean keyed = adapter != null || prompt.key().cacheSalt() != null || stored.to() > prompt.textBlocks();
        int fields = 6 + (adapter == null ? 0 : 1) + (keyed ? 1 : 0);
        tag(packer, sglang ? 7 : 9, fields, "BlockStored");
        key(packer, "block_hashes").packArrayHeader(stored.to() - stored.from());
        for (int i = stored.from(); i < stored.to(); i++) hash(packer, prompt.at(i));
        key(packer, "parent_block_hash");
        if (stored.from() == 0) packer.packNil();
        else hash(packer, prompt.at(stored.from() - 1));
        key(packer, "token_ids");
        tokens(packer, prompt, stored);
        key(packer, "block_size").packInt(BlockHashes.BLOCK_TOKENS);
        if (!maps) packer.packNil();
        key(packer, "medium").packString(MEDIUM);
        if (sglang) return;
        if (adapter != null) key(packer, "lora_name").packString(adapter);
        else if (!maps) packer.packNil();
        if (keyed) keys(packer, prompt, stored);
        else if (!maps) packer.packNil();
    }

    private static void tokens(MessageBufferPacker packer, BlockHashes prompt, KvEventBatch.Stored stored)
            throws IOException {
        int blockSize = BlockHashes.BLOCK_TOKENS;
        int[] ids = prompt.tokenIds();
        if (ids == null) throw new IllegalStateException("prompt without token ids: its key asked to drop them");
        packer.packArrayHeader((stored.to() - stored.from()) * blockSize);
        for (int i = stored.from() * blockSize; i < stored.to() * blockSize; i++) {
            packer.packLong(Integer.toUnsignedLong(ids[i]));
        }
    }

    /** Per block: the adapter, an image of which the hash says nothing here, and for the first block the salt. */
    private void keys(MessageBufferPacker packer, BlockHashes prompt, KvEventBatch.Stored stored) throws IOException {
        key(packer, "extra_keys").packArrayHeader(stored.to() - stored.from());
        String adapter = prompt.key().adapter();
        for (int i = stored.from(); i < stored.to(); i++) {
            String salt = i == 0 ? prompt.key().cacheSalt() : null;
            boolean image = i >= prompt.textBlocks();
            int count = (adapter == null ? 0 : 1) + (image ? 1 : 0) + (salt == null ? 0 : 1);
            if (count == 0) {
                packer.packNil();
                continue;
            }
            packer.packArrayHeader(count);
            if (adapter != null) packer.packString(adapter);
            if (image) packer.packArrayHeader(2).packString("image").packInt(0);
            if (salt != null) packer.packString(salt);
        }
    }

    private void removed(MessageBufferPacker packer, List<Long> hashes) throws IOException {
        tag(packer, 3, 3, "BlockRemoved");
        key(packer, "block_hashes").packArrayHeader(hashes.size());
        for (long hash : hashes) hash(packer, hash);
        key(packer, "medium").packString(MEDIUM);
    }

    private void tag(MessageBufferPacker packer, int arrayLength, int mapSize, String type) throws IOException {
        if (maps) packer.packMapHeader(mapSize).packString("type");
        else packer.packArrayHeader(arrayLength);
        packer.packString(type);
    }

    private MessageBufferPacker key(MessageBufferPacker packer, String name) throws IOException {
        if (maps) packer.packString(name);
        return packer;
    }

    private void hash(MessageBufferPacker packer, long hash) throws IOException {
        if (sglang) {
            packer.packLong(hash);
        } else if (intHashes) {
            packer.packBigInteger(new BigInteger(Long.toUnsignedString(hash)));
        } else {
            byte[] digest = ByteBuffer.allocate(DIGEST_BYTES)
                    .putLong(~hash)
                    .putLong(hash * 31)
                    .putLong(hash >>> 7)
                    .putLong(hash)
                    .array();
            packer.packBinaryHeader(digest.length).writePayload(digest);
        }
    }
}
