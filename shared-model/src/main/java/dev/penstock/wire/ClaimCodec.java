package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.ClaimRecord;

/** {@link ClaimRecord} on the wire. */
public final class ClaimCodec {
    private static final String RECORD = "claim";

    private ClaimCodec() {}

    public static byte[] encode(ClaimRecord record) {
        var builder = dev.penstock.wire.proto.Claim.newBuilder()
                .setHeader(HeaderCodec.toProto(record.header()))
                .setRole(record.role())
                .setReleased(record.released());
        if (record.address() != null) builder.setAddress(record.address());
        return builder.build().toByteArray();
    }

    public static ClaimRecord decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.Claim.parseFrom(bytes);
            return new ClaimRecord(
                    HeaderCodec.fromProto(proto.getHeader(), RECORD),
                    proto.getRole(),
                    proto.getReleased(),
                    proto.hasAddress() ? proto.getAddress() : null);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }
}
