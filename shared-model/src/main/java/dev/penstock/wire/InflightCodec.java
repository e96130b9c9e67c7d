package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import java.util.List;

/** {@link InflightVector} on the wire. */
public final class InflightCodec {
    private static final String RECORD = "in-flight vector";

    private InflightCodec() {}

    public static byte[] encode(InflightVector vector) {
        var builder = dev.penstock.wire.proto.InflightVector.newBuilder()
                .setHeader(HeaderCodec.toProto(vector.header()))
                .setRosterVersion(vector.rosterVersion())
                .setFull(vector.full());
        for (int number : vector.numbers()) builder.addNumbers(number);
        for (int count : vector.counts()) builder.addCounts(count);
        for (var arrivals : vector.arrivals()) {
            builder.addArrivals(dev.penstock.wire.proto.PoolArrivals.newBuilder()
                    .setPool(RosterCodec.toProto(arrivals.pool()))
                    .setArrived(arrivals.arrived()));
        }
        String managementUrl = vector.managementUrl();
        if (managementUrl != null) builder.setManagementUrl(managementUrl);
        return builder.build().toByteArray();
    }

    public static InflightVector decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.InflightVector.parseFrom(bytes);
            List<InflightVector.PoolArrivals> arrivals = proto.getArrivalsList().stream()
                    .map(a -> new InflightVector.PoolArrivals(
                            new PoolId(a.getPool().getNamespace(), a.getPool().getName()), a.getArrived()))
                    .toList();
            return new InflightVector(
                    HeaderCodec.fromProto(proto.getHeader(), RECORD),
                    proto.getRosterVersion(),
                    proto.getFull(),
                    proto.getNumbersList().stream().mapToInt(Integer::intValue).toArray(),
                    proto.getCountsList().stream().mapToInt(Integer::intValue).toArray(),
                    arrivals,
                    proto.hasManagementUrl() ? proto.getManagementUrl() : null);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }
}
