package dev.penstock.wire;

import com.google.protobuf.ByteString;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import java.io.IOException;

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
            return new FrameReader(bytes).read(RECORD);
        } catch (IOException e) {
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
}
