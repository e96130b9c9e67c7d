package dev.penstock.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** {@link TelemetryFrame} on the wire. */
public final class TelemetryCodec {
    private static final String RECORD = "telemetry frame";

    private TelemetryCodec() {}

    public static byte[] encode(TelemetryFrame frame) {
        var builder = dev.penstock.wire.proto.TelemetryFrame.newBuilder()
                .setHeader(HeaderCodec.toProto(frame.header()))
                .setShard(frame.shard())
                .setFull(frame.full())
                .setSampledUnchangedMask(
                        ByteString.copyFrom(frame.sampledUnchanged().toByteArray()))
                .setUnchangedAgeMicros(frame.unchangedAgeMicros());
        for (Sample sample : frame.samples()) builder.addSamples(toProto(sample));
        return builder.build().toByteArray();
    }

    public static TelemetryFrame decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.TelemetryFrame.parseFrom(bytes);
            if (proto.getShard() < 0 || proto.getShard() >= Shards.COUNT) {
                throw new MalformedRecordException(RECORD, "shard " + proto.getShard() + ", expected 0..15");
            }
            List<Sample> samples = new ArrayList<>(proto.getSamplesCount());
            for (var sample : proto.getSamplesList()) samples.add(fromProto(sample));
            return new TelemetryFrame(
                    HeaderCodec.fromProto(proto.getHeader(), RECORD),
                    proto.getShard(),
                    proto.getFull(),
                    BitSet.valueOf(proto.getSampledUnchangedMask().toByteArray()),
                    proto.getUnchangedAgeMicros(),
                    samples);
        } catch (InvalidProtocolBufferException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }

    private static dev.penstock.wire.proto.Sample toProto(Sample sample) {
        var builder = dev.penstock.wire.proto.Sample.newBuilder()
                .setNumber(sample.number())
                .setRunning(sample.running())
                .setWaiting(sample.waiting())
                .setHeartbeat(sample.heartbeat())
                .setCapacityMilli(sample.capacityMilli())
                .setSampleAgeMicros(sample.ageMicros())
                .setIntervalMillis(sample.intervalMillis())
                .setFlags(sample.flags());
        if (sample.kvUsedPpm() != Sample.UNKNOWN) builder.setKvUsedPpm(sample.kvUsedPpm());
        return builder.build();
    }

    private static Sample fromProto(dev.penstock.wire.proto.Sample proto) {
        return new Sample(
                proto.getNumber(),
                proto.getRunning(),
                proto.getWaiting(),
                proto.hasKvUsedPpm() ? proto.getKvUsedPpm() : Sample.UNKNOWN,
                proto.getHeartbeat(),
                proto.getCapacityMilli(),
                proto.getSampleAgeMicros(),
                proto.getIntervalMillis(),
                proto.getFlags());
    }
}
