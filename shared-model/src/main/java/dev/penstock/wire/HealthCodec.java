package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.HealthRecord;

/** {@link HealthRecord} on the wire. */
public final class HealthCodec {
    private static final String RECORD = "health record";

    private HealthCodec() {}

    public static byte[] encode(HealthRecord record) {
        var builder = dev.penstock.wire.proto.HealthRecord.newBuilder()
                .setHeader(HeaderCodec.toProto(record.header()))
                .setNumber(record.number())
                .setUid(record.uid())
                .setVerdict(VerdictCodec.toProto(record.verdict()))
                .setValidMicros(record.validMicros())
                .setProbePassesInRow(record.probePassesInRow());
        if (record.probePassAgeMicros() != HealthRecord.NO_PASS) {
            builder.setProbePassAgeMicros(record.probePassAgeMicros());
        }
        return builder.build().toByteArray();
    }

    public static HealthRecord decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.HealthRecord.parseFrom(bytes);
            return new HealthRecord(
                    HeaderCodec.fromProto(proto.getHeader(), RECORD),
                    proto.getNumber(),
                    proto.getUid(),
                    VerdictCodec.fromProto(proto.getVerdict()),
                    proto.getValidMicros(),
                    proto.hasProbePassAgeMicros() ? proto.getProbePassAgeMicros() : HealthRecord.NO_PASS,
                    proto.getProbePassesInRow());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }
}
