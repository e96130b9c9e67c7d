package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.PrefixRecord;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import java.util.ArrayList;
import java.util.List;

/** {@link PrefixRecord} on the wire. */
public final class PrefixCodec {
    private static final String RECORD = "prefix record";

    private PrefixCodec() {}

    public static byte[] encode(PrefixRecord record) {
        var builder = dev.penstock.wire.proto.PrefixRecord.newBuilder().setHeader(HeaderCodec.toProto(record.header()));
        for (PrefixBlocks blocks : record.blocks()) {
            var each = dev.penstock.wire.proto.PrefixBlocks.newBuilder()
                    .setNumber(blocks.number())
                    .setCleared(blocks.cleared());
            for (long hash : blocks.stored()) each.addStored(hash);
            for (long hash : blocks.removed()) each.addRemoved(hash);
            builder.addBlocks(each);
        }
        return builder.build().toByteArray();
    }

    public static PrefixRecord decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.PrefixRecord.parseFrom(bytes);
            List<PrefixBlocks> blocks = new ArrayList<>(proto.getBlocksCount());
            for (var each : proto.getBlocksList()) {
                long[] stored = new long[each.getStoredCount()];
                for (int i = 0; i < stored.length; i++) stored[i] = each.getStored(i);
                long[] removed = new long[each.getRemovedCount()];
                for (int i = 0; i < removed.length; i++) removed[i] = each.getRemoved(i);
                blocks.add(new PrefixBlocks(each.getNumber(), stored, removed, each.getCleared()));
            }
            return new PrefixRecord(HeaderCodec.fromProto(proto.getHeader(), RECORD), blocks);
        } catch (InvalidProtocolBufferException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }
}
