package dev.penstock.collector.kvevents;

import dev.penstock.core.kvevents.KvEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/**
 * A message's payload, {@code [time, [events], rank]} in msgpack. Events are arrays with a leading tag (SGLang, and vLLM before
 * 2026) or maps with a {@code type}, in which what has its default is left out; both may end early or have more than is known.
 *
 * <pre>
 *   BlockStored        block_hashes, parent_block_hash, token_ids, block_size, lora_id, medium, lora_name, extra_keys, group_idx
 *   BlockRemoved       block_hashes, medium, group_idx
 *   AllBlocksCleared
 * </pre>
 *
 * Only the GPU tier counts, and of models with several groups of layers the first group: offloaded blocks have to be loaded
 * first, and their events have no tokens. A hash of 32 bytes is folded to its last 8.
 *
 * <p>Nothing is allocated by what a header claims: no list is longer than the bytes that are left.
 */
final class KvEventDecoder {
    static final int MOST_EVENTS = 100_000;

    /** Of one block: engines take 16, hybrid models some thousands. */
    static final int MOST_BLOCK_TOKENS = 65_536;

    private static final String[] STORED = {
        "block_hashes",
        "parent_block_hash",
        "token_ids",
        "block_size",
        "lora_id",
        "medium",
        "lora_name",
        "extra_keys",
        "group_idx"
    };
    private static final String[] REMOVED = {"block_hashes", "medium", "group_idx"};

    private final MessageUnpacker unpacker;
    private final int size;

    private KvEventDecoder(byte[] payload) {
        unpacker = MessagePack.newDefaultUnpacker(payload);
        size = payload.length;
    }

    static List<KvEvent> decode(byte[] payload) throws MalformedEventsException {
        try {
            return new KvEventDecoder(payload).message();
        } catch (IOException | MessagePackException | IllegalArgumentException e) {
            throw new MalformedEventsException(e);
        }
    }

    private List<KvEvent> message() throws IOException, MalformedEventsException {
        int parts = unpacker.unpackArrayHeader();
        if (parts < 2) throw new MalformedEventsException("expected [time, events, rank], got " + parts + " parts");
        unpacker.skipValue();
        int count = length();
        if (count > MOST_EVENTS) throw new MalformedEventsException("expected at most 100000 events, got " + count);
        List<KvEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KvEvent event = event();
            if (!(event instanceof KvEvent.Ignored)) events.add(event);
        }
        return events;
    }

    private KvEvent event() throws IOException, MalformedEventsException {
        if (unpacker.getNextFormat().getValueType() == ValueType.MAP) return mapEvent();
        int fields = length() - 1;
        if (fields < 0) throw new MalformedEventsException("event without a tag");
        Fields event = new Fields();
        String type = unpacker.unpackString();
        String[] names = names(type);
        for (int i = 0; i < fields; i++) {
            if (i < names.length) field(event, names[i]);
            else unpacker.skipValue();
        }
        return event.become(type);
    }

    private KvEvent mapEvent() throws IOException, MalformedEventsException {
        int entries = unpacker.unpackMapHeader();
        Fields event = new Fields();
        String type = "";
        for (int i = 0; i < entries; i++) {
            String key = unpacker.unpackString();
            if (key.equals("type")) type = unpacker.unpackString();
            else field(event, key);
        }
        return event.become(type);
    }

    private static String[] names(String type) {
        return switch (type) {
            case "BlockStored" -> STORED;
            case "BlockRemoved" -> REMOVED;
            default -> new String[0];
        };
    }

    /** What is known of an event so far. */
    private static final class Fields {
        long[] hashes = {};
        boolean root = true;
        long parent;
        int[] tokens = {};
        int blockSize;
        boolean unnamedAdapter;
        boolean gpu = true;
        boolean firstGroup = true;

        @Nullable
        String loraName;

        @Nullable
        List<List<String>> extraKeys;

        KvEvent become(String type) {
            return switch (type) {
                case "BlockStored" -> stored();
                case "BlockRemoved" -> gpu && firstGroup ? new KvEvent.Removed(hashes) : new KvEvent.Ignored();
                case "AllBlocksCleared" -> new KvEvent.Cleared();
                default -> new KvEvent.Ignored();
            };
        }

        private KvEvent stored() {
            if (!gpu || !firstGroup || tokens.length == 0) return new KvEvent.Ignored();
            if (blockSize > MOST_BLOCK_TOKENS) {
                throw new IllegalArgumentException(
                        "block_size: expected at most " + MOST_BLOCK_TOKENS + " tokens, got " + blockSize);
            }
            if (unnamedAdapter && loraName == null) return new KvEvent.Ignored();
            String salt = root ? salt() : null;
            int usable = 0;
            while (usable < hashes.length && plain(usable, usable == 0 ? salt : null)) usable++;
            return new KvEvent.Stored(parent, root, hashes, tokens, blockSize, loraName, salt, usable);
        }

        private @Nullable String salt() {
            for (String key : keys(0)) {
                if (!key.equals(loraName) && !key.isEmpty()) return key;
            }
            return null;
        }

        /** Whether the block depends on nothing but text, adapter and salt. */
        private boolean plain(int block, @Nullable String salt) {
            for (String key : keys(block)) {
                if (!key.equals(loraName) && !key.equals(salt)) return false;
            }
            return true;
        }

        private List<String> keys(int block) {
            return extraKeys == null || block >= extraKeys.size() ? List.of() : extraKeys.get(block);
        }
    }

    private void field(Fields event, String name) throws IOException, MalformedEventsException {
        boolean nil = unpacker.getNextFormat() == MessageFormat.NIL;
        if (nil) {
            unpacker.unpackNil();
            return;
        }
        switch (name) {
            case "block_hashes" -> event.hashes = hashes();
            case "parent_block_hash" -> {
                event.parent = hash();
                event.root = false;
            }
            case "token_ids" -> event.tokens = tokens();
            case "block_size" -> event.blockSize = unpacker.unpackInt();
            case "lora_id" -> {
                unpacker.skipValue();
                event.unnamedAdapter = true;
            }
            case "medium" -> event.gpu = unpacker.unpackString().equals("GPU");
            case "lora_name" -> event.loraName = unpacker.unpackString();
            case "extra_keys" -> event.extraKeys = extraKeys();
            case "group_idx" -> event.firstGroup = unpacker.unpackLong() == 0;
            default -> unpacker.skipValue();
        }
    }

    private long[] hashes() throws IOException, MalformedEventsException {
        long[] hashes = new long[length()];
        for (int i = 0; i < hashes.length; i++) hashes[i] = hash();
        return hashes;
    }

    private long hash() throws IOException, MalformedEventsException {
        if (unpacker.getNextFormat().getValueType() == ValueType.INTEGER) return integer();
        byte[] digest = unpacker.readPayload(within(unpacker.unpackBinaryHeader()));
        if (digest.length < Long.BYTES) throw new MalformedEventsException("hash of " + digest.length + " bytes");
        long hash = 0;
        for (int i = digest.length - Long.BYTES; i < digest.length; i++) hash = hash << 8 | (digest[i] & 0xFF);
        return hash;
    }

    /** Signed or unsigned: the same 64 bits. */
    private long integer() throws IOException {
        return unpacker.getNextFormat() == MessageFormat.UINT64
                ? unpacker.unpackBigInteger().longValue()
                : unpacker.unpackLong();
    }

    private int[] tokens() throws IOException, MalformedEventsException {
        int[] tokens = new int[length()];
        for (int i = 0; i < tokens.length; i++) tokens[i] = (int) unpacker.unpackLong();
        return tokens;
    }

    /** Per block. What is no text is a key that nobody knows; it equals none that is known. */
    private List<List<String>> extraKeys() throws IOException, MalformedEventsException {
        List<List<String>> blocks = new ArrayList<>();
        int count = length();
        for (int i = 0; i < count; i++) {
            if (unpacker.getNextFormat() == MessageFormat.NIL) {
                unpacker.unpackNil();
                blocks.add(List.of());
                continue;
            }
            String[] keys = new String[length()];
            for (int k = 0; k < keys.length; k++) {
                boolean text = unpacker.getNextFormat().getValueType() == ValueType.STRING;
                keys[k] = text ? unpacker.unpackString() : "";
                if (!text) unpacker.skipValue();
            }
            blocks.add(Arrays.asList(keys));
        }
        return blocks;
    }

    private int length() throws IOException, MalformedEventsException {
        return within(unpacker.unpackArrayHeader());
    }

    /** Each element takes a byte at least. */
    private int within(int length) throws MalformedEventsException {
        if (length < 0 || length > size - unpacker.getTotalReadBytes()) {
            throw new MalformedEventsException("a list of " + length + " in " + size + " bytes");
        }
        return length;
    }
}
