package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import dev.penstock.model.HolderKind;
import dev.penstock.model.LockIdentity;
import dev.penstock.model.PoolId;
import dev.penstock.model.RegistryRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** {@link RegistryRecord} on the wire. */
public final class RegistryCodec {
    private static final String RECORD = "registry record";

    private RegistryCodec() {}

    public static byte[] encode(RegistryRecord record) {
        var builder =
                dev.penstock.wire.proto.RegistryRecord.newBuilder().setHeader(HeaderCodec.toProto(record.header()));
        if (record instanceof RegistryRecord.OfHolder of) builder.setHolder(toProto(of.holder()));
        switch (record) {
            case RegistryRecord.Registered registered -> builder.setRegistered(toProto(registered));
            case RegistryRecord.Left left -> builder.setLeft(toProto(left));
            case RegistryRecord.Died died ->
                builder.setDied(
                        dev.penstock.wire.proto.RegistryRecord.Died.newBuilder().setEvidence(died.evidence()));
            case RegistryRecord.Settled settled -> builder.setSettled(toProto(settled));
            case RegistryRecord.Genesis genesis ->
                builder.setGenesis(dev.penstock.wire.proto.RegistryRecord.Genesis.newBuilder()
                        .setId(genesis.id()));
        }
        return builder.build().toByteArray();
    }

    public static RegistryRecord decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.RegistryRecord.parseFrom(bytes);
            Header header = HeaderCodec.fromProto(proto.getHeader(), RECORD);
            return switch (proto.getFactCase()) {
                case REGISTERED -> registered(header, holder(proto), proto.getRegistered());
                case LEFT -> left(header, holder(proto), proto.getLeft());
                case DIED ->
                    new RegistryRecord.Died(
                            header, holder(proto), proto.getDied().getEvidence());
                case SETTLED -> settled(header, holder(proto), proto.getSettled());
                case GENESIS ->
                    new RegistryRecord.Genesis(header, proto.getGenesis().getId());
                case FACT_NOT_SET -> throw new MalformedRecordException(RECORD, "no fact that is known here");
            };
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }

    private static dev.penstock.wire.proto.RegistryRecord.Registered toProto(RegistryRecord.Registered registered) {
        return dev.penstock.wire.proto.RegistryRecord.Registered.newBuilder()
                .setKind(toProto(registered.kind()))
                .setBootId(registered.lock().bootId())
                .setDevice(registered.lock().device())
                .setInode(registered.lock().inode())
                .setLockedNanos(registered.lockedNanos())
                .setManagementUrl(registered.managementUrl())
                .build();
    }

    private static RegistryRecord.Registered registered(
            Header header, Holder holder, dev.penstock.wire.proto.RegistryRecord.Registered proto) {
        return new RegistryRecord.Registered(
                header,
                holder,
                fromProto(proto.getKind()),
                new LockIdentity(proto.getBootId(), proto.getDevice(), proto.getInode()),
                proto.getLockedNanos(),
                proto.getManagementUrl());
    }

    /** By pool, so that the same fact has the same bytes. */
    private static dev.penstock.wire.proto.RegistryRecord.Left toProto(RegistryRecord.Left left) {
        var builder = dev.penstock.wire.proto.RegistryRecord.Left.newBuilder();
        new TreeMap<>(left.followed())
                .forEach((pool, epoch) ->
                        builder.addFollowed(dev.penstock.wire.proto.RegistryRecord.Followed.newBuilder()
                                .setPool(RosterCodec.toProto(pool))
                                .setEpoch(epoch)));
        return builder.build();
    }

    private static RegistryRecord.Left left(
            Header header, Holder holder, dev.penstock.wire.proto.RegistryRecord.Left proto) {
        Map<PoolId, Long> followed = new LinkedHashMap<>();
        proto.getFollowedList().forEach(each -> followed.put(RosterCodec.fromProto(each.getPool()), each.getEpoch()));
        return new RegistryRecord.Left(header, holder, followed);
    }

    private static dev.penstock.wire.proto.RegistryRecord.Settled toProto(RegistryRecord.Settled settled) {
        return dev.penstock.wire.proto.RegistryRecord.Settled.newBuilder()
                .setPool(RosterCodec.toProto(settled.pool()))
                .setEpoch(settled.epoch())
                .addAllNumbers(settled.numbers())
                .build();
    }

    private static RegistryRecord.Settled settled(
            Header header, Holder holder, dev.penstock.wire.proto.RegistryRecord.Settled proto) {
        return new RegistryRecord.Settled(
                header, holder, RosterCodec.fromProto(proto.getPool()), proto.getEpoch(), proto.getNumbersList());
    }

    private static dev.penstock.wire.proto.Holder toProto(Holder holder) {
        return dev.penstock.wire.proto.Holder.newBuilder()
                .setName(holder.name())
                .setNonce(holder.nonce())
                .build();
    }

    private static Holder holder(dev.penstock.wire.proto.RegistryRecord proto) {
        return new Holder(proto.getHolder().getName(), proto.getHolder().getNonce());
    }

    private static dev.penstock.wire.proto.HolderKind toProto(HolderKind kind) {
        return switch (kind) {
            case UNKNOWN -> dev.penstock.wire.proto.HolderKind.HOLDER_UNKNOWN;
            case ROUTER -> dev.penstock.wire.proto.HolderKind.HOLDER_ROUTER;
            case PROBER -> dev.penstock.wire.proto.HolderKind.HOLDER_PROBER;
            case EXTERNAL -> dev.penstock.wire.proto.HolderKind.HOLDER_EXTERNAL;
        };
    }

    private static HolderKind fromProto(dev.penstock.wire.proto.HolderKind kind) {
        return switch (kind) {
            case HOLDER_UNKNOWN, UNRECOGNIZED -> HolderKind.UNKNOWN;
            case HOLDER_ROUTER -> HolderKind.ROUTER;
            case HOLDER_PROBER -> HolderKind.PROBER;
            case HOLDER_EXTERNAL -> HolderKind.EXTERNAL;
        };
    }
}
