package dev.penstock.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.model.DurationSketch;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bytes that services of different versions agree on: a change here is a change of the protocol. */
class CodecGoldenTest {
    private static final Header HEADER = new Header("router-0", 0x1122334455667788L, 7, 42, 1_000_000_007L);
    private static final PoolId POOL = new PoolId("local", "llama");

    @Test
    void roster_record_keeps_its_bytes() throws Exception {
        RosterRecord roster = new RosterRecord(
                HEADER,
                new Replica(
                        "engine-3",
                        3,
                        "u1",
                        "http://h:1",
                        null,
                        List.of("sim/llama"),
                        EngineKind.VLLM,
                        "h100",
                        POOL,
                        null,
                        24,
                        1_700_000_000_000L,
                        Map.of("k", "v")),
                false,
                9);

        byte[] bytes = RosterCodec.encode(roster);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.ROSTER);
        assertThat(RosterCodec.decode(bytes)).isEqualTo(roster);
    }

    @Test
    void telemetry_frame_keeps_its_bytes() throws Exception {
        BitSet unchanged = new BitSet();
        unchanged.set(1);
        unchanged.set(9);
        TelemetryFrame frame = new TelemetryFrame(
                HEADER,
                3,
                true,
                unchanged,
                50_000,
                List.of(
                        new Sample(3, 5, 2, 250_000, 77, 0, 12_000, 50, 0),
                        new Sample(19, 0, 0, -1, 0, 0, 0, 1000, 1)));

        byte[] bytes = TelemetryCodec.encode(frame);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.TELEMETRY);
        assertThat(TelemetryCodec.decode(bytes)).isEqualTo(frame);
    }

    @Test
    void inflight_vector_keeps_its_bytes() throws Exception {
        InflightVector vector = new InflightVector(
                HEADER,
                5,
                false,
                new int[] {1, 300},
                new int[] {0, 12},
                List.of(new InflightVector.PoolArrivals(POOL, 99)));

        byte[] bytes = InflightCodec.encode(vector);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.INFLIGHT);
        InflightVector back = InflightCodec.decode(bytes);
        assertThat(back.numbers()).containsExactly(1, 300);
        assertThat(back.counts()).containsExactly(0, 12);
        assertThat(back.header()).isEqualTo(HEADER);
        assertThat(back.arrivals()).isEqualTo(vector.arrivals());
    }

    @Test
    void outcomes_keep_their_bytes() throws Exception {
        DurationSketch ttft = new DurationSketch();
        ttft.record(1_500);
        Outcomes outcomes = new Outcomes(
                HEADER,
                List.of(new Outcomes.ReplicaOutcomes(
                        3, Map.of(Outcome.OK, 5, Outcome.STALLED, 1), 2, ttft, new DurationSketch(), 160)));

        byte[] bytes = OutcomesCodec.encode(outcomes);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.OUTCOMES);
        assertThat(OutcomesCodec.decode(bytes)).isEqualTo(outcomes);
    }

    @Test
    void garbage_is_named_and_not_thrown_at_the_reader_as_something_else() {
        byte[] garbage = {(byte) 0xff, 1, 2};

        assertThatThrownBy(() -> RosterCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> TelemetryCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> InflightCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> OutcomesCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> RosterCodec.decode(new byte[0])).hasMessageContaining("producer");
    }
}
