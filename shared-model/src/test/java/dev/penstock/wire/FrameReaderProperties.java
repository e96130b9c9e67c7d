package dev.penstock.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Against the generated classes, which say what the bytes mean. */
class FrameReaderProperties {
    private static final int UNKNOWN_FIELD = 77;

    @Property(seed = "1")
    void reads_what_the_generated_classes_read(@ForAll long seed, @ForAll @IntRange(max = 70) int samples)
            throws Exception {
        byte[] bytes = frame(new Random(seed), samples).toByteArray();
        assertThat(TelemetryCodec.decode(bytes)).isEqualTo(generated(bytes));
    }

    @Property(seed = "1", tries = 5_000)
    void refuses_what_the_generated_classes_refuse(@ForAll long seed, @ForAll @IntRange(max = 3) int samples)
            throws Exception {
        Random random = new Random(seed);
        byte[] bytes = frame(random, samples).toByteArray();
        for (int i = random.nextInt(4); i >= 0; i--) bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        TelemetryFrame expected;
        try {
            expected = generated(bytes);
        } catch (MalformedRecordException refused) {
            assertThatThrownBy(() -> TelemetryCodec.decode(bytes)).isInstanceOf(MalformedRecordException.class);
            return;
        }
        assertThat(TelemetryCodec.decode(bytes)).isEqualTo(expected);
    }

    private static dev.penstock.wire.proto.TelemetryFrame frame(Random random, int samples) {
        var header = dev.penstock.wire.proto.Header.newBuilder()
                .setProducer("collector-" + random.nextInt(20))
                .setIncarnation(random.nextLong())
                .setSequence(random.nextLong())
                .setSendNanos(random.nextLong());
        if (random.nextBoolean()) header.setEpoch(random.nextLong());
        if (random.nextBoolean()) header.setUnknownFields(later(random));
        var frame = dev.penstock.wire.proto.TelemetryFrame.newBuilder()
                .setHeader(header)
                .setShard(random.nextInt(Shards.COUNT))
                .setFull(random.nextBoolean())
                .setUnchangedAgeMicros(random.nextLong() >>> random.nextInt(64));
        byte[] mask = new byte[random.nextInt(9)];
        random.nextBytes(mask);
        frame.setSampledUnchangedMask(ByteString.copyFrom(mask));
        for (int i = 0; i < samples; i++) frame.addSamples(sample(random));
        if (random.nextBoolean()) frame.setUnknownFields(later(random));
        return frame.build();
    }

    private static dev.penstock.wire.proto.Sample sample(Random random) {
        var sample = dev.penstock.wire.proto.Sample.newBuilder()
                .setNumber(random.nextInt() >>> random.nextInt(32))
                .setRunning(random.nextInt() >>> random.nextInt(32))
                .setWaiting(random.nextInt(3))
                .setHeartbeat(random.nextLong())
                .setCapacityMilli(random.nextInt() >>> random.nextInt(32))
                .setSampleAgeMicros(random.nextLong() >>> random.nextInt(64))
                .setIntervalMillis(random.nextInt(2_000))
                .setFlags(random.nextInt(4));
        if (random.nextBoolean()) sample.setKvUsedPpm(random.nextInt(1_000_001));
        if (random.nextBoolean()) sample.setUnknownFields(later(random));
        return sample.build();
    }

    /** Of a version that knows more. */
    private static UnknownFieldSet later(Random random) {
        var group = UnknownFieldSet.newBuilder()
                .addField(1, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        return UnknownFieldSet.newBuilder()
                .addField(
                        UNKNOWN_FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addVarint(random.nextLong())
                                .addFixed32(random.nextInt())
                                .addGroup(group)
                                .addLengthDelimited(ByteString.copyFromUtf8("later"))
                                .build())
                .build();
    }

    private static TelemetryFrame generated(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.TelemetryFrame.parseFrom(bytes);
            if (proto.getShard() < 0 || proto.getShard() >= Shards.COUNT)
                throw new MalformedRecordException("frame", "shard");
            return new TelemetryFrame(
                    HeaderCodec.fromProto(proto.getHeader(), "frame"),
                    proto.getShard(),
                    proto.getFull(),
                    BitSet.valueOf(proto.getSampledUnchangedMask().toByteArray()),
                    proto.getUnchangedAgeMicros(),
                    proto.getSamplesList().stream()
                            .map(FrameReaderProperties::of)
                            .toList());
        } catch (InvalidProtocolBufferException e) {
            throw new MalformedRecordException("frame", e);
        }
    }

    private static Sample of(dev.penstock.wire.proto.Sample proto) {
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
