package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.EngineKind;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.wire.proto.Engine;
import dev.penstock.wire.proto.Pool;

/** {@link RosterRecord} on the wire. */
public final class RosterCodec {
    private static final String RECORD = "roster record";

    private RosterCodec() {}

    public static byte[] encode(RosterRecord roster) {
        var builder = dev.penstock.wire.proto.RosterRecord.newBuilder()
                .setHeader(HeaderCodec.toProto(roster.header()))
                .setReplica(toProto(roster.replica()))
                .setGone(roster.gone())
                .setHighestNumber(roster.highestNumber());
        if (roster.readyAgeMillis() != RosterRecord.AGE_UNKNOWN) builder.setReadyAgeMillis(roster.readyAgeMillis());
        return builder.build().toByteArray();
    }

    public static RosterRecord decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.RosterRecord.parseFrom(bytes);
            return new RosterRecord(
                    HeaderCodec.fromProto(proto.getHeader(), RECORD),
                    fromProto(proto.getReplica()),
                    proto.getGone(),
                    proto.getHighestNumber(),
                    proto.hasReadyAgeMillis() ? proto.getReadyAgeMillis() : RosterRecord.AGE_UNKNOWN);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }

    private static dev.penstock.wire.proto.Replica toProto(Replica replica) {
        var builder = dev.penstock.wire.proto.Replica.newBuilder()
                .setName(replica.name())
                .setNumber(replica.number())
                .setUid(replica.uid())
                .setEndpoint(replica.endpoint())
                .addAllModels(replica.models())
                .setEngine(toProto(replica.engine()))
                .setPool(toProto(replica.pool()))
                .setReadySinceMillis(replica.readySinceMillis())
                .putAllLabels(replica.labels());
        if (replica.metricsEndpoint() != null) builder.setMetricsEndpoint(replica.metricsEndpoint());
        if (replica.hardwareClass() != null) builder.setHardwareClass(replica.hardwareClass());
        if (replica.zone() != null) builder.setZone(replica.zone());
        if (replica.maxInflight() != null) builder.setMaxInflight(replica.maxInflight());
        return builder.build();
    }

    private static Replica fromProto(dev.penstock.wire.proto.Replica proto) {
        return new Replica(
                proto.getName(),
                proto.getNumber(),
                proto.getUid(),
                proto.getEndpoint(),
                proto.hasMetricsEndpoint() ? proto.getMetricsEndpoint() : null,
                proto.getModelsList(),
                fromProto(proto.getEngine()),
                proto.hasHardwareClass() ? proto.getHardwareClass() : null,
                fromProto(proto.getPool()),
                proto.hasZone() ? proto.getZone() : null,
                proto.hasMaxInflight() ? proto.getMaxInflight() : null,
                proto.getReadySinceMillis(),
                proto.getLabelsMap());
    }

    static Pool toProto(PoolId pool) {
        return Pool.newBuilder()
                .setNamespace(pool.namespace())
                .setName(pool.name())
                .build();
    }

    static PoolId fromProto(Pool pool) {
        return new PoolId(pool.getNamespace(), pool.getName());
    }

    private static Engine toProto(EngineKind kind) {
        return switch (kind) {
            case UNKNOWN -> Engine.ENGINE_UNKNOWN;
            case AUTO -> Engine.ENGINE_AUTO;
            case VLLM -> Engine.ENGINE_VLLM;
            case SGLANG -> Engine.ENGINE_SGLANG;
        };
    }

    private static EngineKind fromProto(Engine engine) {
        return switch (engine) {
            case ENGINE_UNKNOWN, UNRECOGNIZED -> EngineKind.UNKNOWN;
            case ENGINE_AUTO -> EngineKind.AUTO;
            case ENGINE_VLLM -> EngineKind.VLLM;
            case ENGINE_SGLANG -> EngineKind.SGLANG;
        };
    }
}
