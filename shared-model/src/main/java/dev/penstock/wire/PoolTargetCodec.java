package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.PoolTarget;

/** {@link PoolTarget} on the wire. */
public final class PoolTargetCodec {
    private static final String RECORD = "pool target";

    private PoolTargetCodec() {}

    public static byte[] encode(PoolTarget record) {
        return dev.penstock.wire.proto.PoolTarget.newBuilder()
                .setHeader(HeaderCodec.toProto(record.header()))
                .setPool(RosterCodec.toProto(record.pool()))
                .setDesired(record.desired())
                .setReplicas(record.replicas())
                .setDemandMilli(record.demandMilli())
                .putAllComponents(record.components())
                .setActive(record.active())
                .setHoldReason(record.holdReason())
                .setInputsAgeMicros(record.inputsAgeMicros())
                .setTargetPerReplica(record.targetPerReplica())
                .build()
                .toByteArray();
    }

    public static PoolTarget decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.PoolTarget.parseFrom(bytes);
            return new PoolTarget(
                    HeaderCodec.fromProto(proto.getHeader(), RECORD),
                    RosterCodec.fromProto(proto.getPool()),
                    proto.getDesired(),
                    proto.getReplicas(),
                    proto.getDemandMilli(),
                    proto.getComponentsMap(),
                    proto.getActive(),
                    proto.getHoldReason(),
                    proto.getInputsAgeMicros(),
                    proto.getTargetPerReplica());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }
}
