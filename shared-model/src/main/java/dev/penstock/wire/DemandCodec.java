package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.DemandRecord;
import java.util.ArrayList;
import java.util.List;

/** {@link DemandRecord} on the wire. */
public final class DemandCodec {
    private static final String RECORD = "demand record";

    private DemandCodec() {}

    public static byte[] encode(DemandRecord record) {
        var builder = dev.penstock.wire.proto.DemandRecord.newBuilder().setHeader(HeaderCodec.toProto(record.header()));
        for (var model : record.models()) {
            builder.addModels(dev.penstock.wire.proto.ModelDemand.newBuilder()
                    .setModel(model.model())
                    .setPool(RosterCodec.toProto(model.pool()))
                    .setArrived(model.arrived())
                    .setRunning(model.running())
                    .setQueued(model.queued())
                    .setCompleted(model.completed())
                    .setFailed(model.failed())
                    .setCancelled(model.cancelled())
                    .setExpired(model.expired())
                    .setShed(model.shed())
                    .setServiceMicros(model.serviceMicros()));
        }
        return builder.build().toByteArray();
    }

    public static DemandRecord decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.DemandRecord.parseFrom(bytes);
            List<DemandRecord.ModelDemand> models = new ArrayList<>(proto.getModelsCount());
            for (var model : proto.getModelsList()) {
                models.add(new DemandRecord.ModelDemand(
                        model.getModel(),
                        RosterCodec.fromProto(model.getPool()),
                        model.getArrived(),
                        model.getRunning(),
                        model.getQueued(),
                        model.getCompleted(),
                        model.getFailed(),
                        model.getCancelled(),
                        model.getExpired(),
                        model.getShed(),
                        model.getServiceMicros()));
            }
            return new DemandRecord(HeaderCodec.fromProto(proto.getHeader(), RECORD), models);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }
}
