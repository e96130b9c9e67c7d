package dev.penstock.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.model.ClaimRecord;
import dev.penstock.model.DemandRecord;
import dev.penstock.model.DurationSketch;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Holder;
import dev.penstock.model.HolderKind;
import dev.penstock.model.InflightVector;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.LockIdentity;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.PoolId;
import dev.penstock.model.PoolTarget;
import dev.penstock.model.PrefixRecord;
import dev.penstock.model.RegistryRecord;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.Replica;
import dev.penstock.model.RetryOn;
import dev.penstock.model.Roles;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.SessionNames;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Verdict;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
                9,
                90_000);

        byte[] bytes = RosterCodec.encode(roster);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.ROSTER);
        assertThat(RosterCodec.decode(bytes)).isEqualTo(roster);
    }

    @Test
    void an_older_writers_roster_record_has_no_age() throws Exception {
        RosterRecord older = RosterCodec.decode(HexFormat.of().parseHex(GoldenBytes.ROSTER_WITHOUT_AGE));

        assertThat(older.readyAgeMillis()).isEqualTo(RosterRecord.AGE_UNKNOWN);
        assertThat(HexFormat.of().formatHex(RosterCodec.encode(older))).isEqualTo(GoldenBytes.ROSTER_WITHOUT_AGE);
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
                List.of(new InflightVector.PoolArrivals(POOL, 99)),
                "http://h:8081");

        byte[] bytes = InflightCodec.encode(vector);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.INFLIGHT);
        InflightVector back = InflightCodec.decode(bytes);
        assertThat(back.numbers()).containsExactly(1, 300);
        assertThat(back.counts()).containsExactly(0, 12);
        assertThat(back.header()).isEqualTo(HEADER);
        assertThat(back.arrivals()).isEqualTo(vector.arrivals());
        assertThat(back.managementUrl()).isEqualTo("http://h:8081");
    }

    @Test
    void an_older_writers_inflight_vector_has_no_management_url() throws Exception {
        InflightVector older = InflightCodec.decode(HexFormat.of().parseHex(GoldenBytes.INFLIGHT_WITHOUT_URL));

        assertThat(older.managementUrl()).isNull();
        assertThat(HexFormat.of().formatHex(InflightCodec.encode(older))).isEqualTo(GoldenBytes.INFLIGHT_WITHOUT_URL);
    }

    @Test
    void outcomes_keep_their_bytes() throws Exception {
        DurationSketch ttft = new DurationSketch();
        ttft.record(1_500);
        Outcomes outcomes = new Outcomes(
                HEADER,
                List.of(new Outcomes.ReplicaOutcomes(
                        3,
                        Map.of(Outcome.OK, 5, Outcome.STALLED, 1),
                        2,
                        ttft,
                        new DurationSketch(),
                        160,
                        true,
                        false)));

        byte[] bytes = OutcomesCodec.encode(outcomes);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.OUTCOMES);
        assertThat(OutcomesCodec.decode(bytes)).isEqualTo(outcomes);
    }

    @Test
    void an_older_writers_outcomes_have_no_flags() throws Exception {
        Outcomes older = OutcomesCodec.decode(HexFormat.of().parseHex(GoldenBytes.OUTCOMES_WITHOUT_FLAGS));

        assertThat(older.replicas().getFirst().quarantined()).isFalse();
        assertThat(older.replicas().getFirst().flowing()).isFalse();
    }

    @Test
    void claims_keep_their_bytes() throws Exception {
        ClaimRecord claim = new ClaimRecord(HEADER, Roles.VERDICTS, true);

        byte[] bytes = ClaimCodec.encode(claim);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.CLAIM);
        assertThat(ClaimCodec.decode(bytes)).isEqualTo(claim);
    }

    @Test
    void a_claim_tells_where_its_owner_is_called() throws Exception {
        ClaimRecord claim = new ClaimRecord(HEADER, Roles.ledger(POOL), false, "h:9084");

        byte[] bytes = ClaimCodec.encode(claim);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.CLAIM_WITH_ADDRESS);
        assertThat(ClaimCodec.decode(bytes)).isEqualTo(claim);
        assertThat(claim.role()).isEqualTo("ledger/local/llama");
    }

    @Test
    void registry_records_keep_their_bytes_and_have_keys_of_their_own() throws Exception {
        Holder holder = new Holder("router-0", 0x1122334455667788L);
        List<RegistryRecord> records = List.of(
                new RegistryRecord.Registered(
                        HEADER,
                        holder,
                        HolderKind.PROBER,
                        new LockIdentity("boot", 2_049, 77),
                        9_000_000,
                        "http://h:8081"),
                new RegistryRecord.Left(HEADER, holder, Map.of(POOL, 300L, new PoolId("local", "a"), 5L)),
                new RegistryRecord.Died(HEADER, holder, "operator"),
                new RegistryRecord.Settled(HEADER, holder, POOL, 300, List.of(3, 300)),
                new RegistryRecord.Genesis(HEADER, "g-1"));
        List<String> golden = List.of(
                GoldenBytes.REGISTERED, GoldenBytes.LEFT, GoldenBytes.DIED, GoldenBytes.SETTLED, GoldenBytes.GENESIS);
        for (int i = 0; i < records.size(); i++) {
            byte[] bytes = RegistryCodec.encode(records.get(i));

            assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden.get(i));
            assertThat(RegistryCodec.decode(bytes)).isEqualTo(records.get(i));
        }
        assertThat(records.stream().map(RegistryRecord::key))
                .containsExactly(
                        "router-0/1122334455667788",
                        "router-0/1122334455667788/left",
                        "router-0/1122334455667788/died",
                        "router-0/1122334455667788/settled/local/llama",
                        "genesis");
    }

    @Test
    void a_newer_writers_holder_is_one_and_its_fact_is_named() throws Exception {
        var proto =
                dev.penstock.wire.proto.RegistryRecord.parseFrom(HexFormat.of().parseHex(GoldenBytes.REGISTERED));
        var newer = proto.toBuilder();
        newer.getRegisteredBuilder().setKindValue(99);

        var kind =
                (RegistryRecord.Registered) RegistryCodec.decode(newer.build().toByteArray());

        assertThat(kind.kind()).isEqualTo(HolderKind.UNKNOWN);
        assertThatThrownBy(() -> RegistryCodec.decode(
                        proto.toBuilder().clearFact().build().toByteArray()))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("no fact that is known here");
    }

    @Test
    void a_holder_reads_as_it_is_written() {
        Holder holder = new Holder("router-0", 0xfL);

        assertThat(holder).hasToString("router-0/000000000000000f");
        assertThat(Holder.parse(holder.toString())).isEqualTo(holder);
        assertThatThrownBy(() -> Holder.parse("router-0/f")).hasMessageContaining("16 hexadecimal digits");
        assertThatThrownBy(() -> new Holder("a/b", 1)).hasMessageContaining("'a/b'");
    }

    @Test
    void verdicts_keep_their_bytes() throws Exception {
        List<Verdict> verdicts = List.of(
                Verdict.UNKNOWN,
                Verdict.HEALTHY,
                new Verdict.Suspect("3 failures at router-0"),
                new Verdict.Ejected(Verdict.Severity.HARD, "probe: refused", 2, 9_000_000),
                new Verdict.HalfOpen("cut streams", 1, "router-1", 2),
                new Verdict.Ramp(1_000_000, 15_000_000));
        List<String> golden = List.of(
                GoldenBytes.UNKNOWN,
                GoldenBytes.HEALTHY,
                GoldenBytes.SUSPECT,
                GoldenBytes.EJECTED,
                GoldenBytes.HALF_OPEN,
                GoldenBytes.RAMP);
        for (int i = 0; i < verdicts.size(); i++) {
            HealthRecord health = new HealthRecord(HEADER, 7, "u", verdicts.get(i), 5_000_000, i == 0 ? -1 : 0, i);

            byte[] bytes = HealthCodec.encode(health);

            assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden.get(i));
            assertThat(HealthCodec.decode(bytes)).isEqualTo(health);
        }
    }

    @Test
    void policies_keep_their_bytes() throws Exception {
        PolicyRecord policy = new PolicyRecord(
                HEADER,
                "org/m",
                List.of("m"),
                new PolicyRecord.Strategies(
                        "least-request",
                        5,
                        1_500L,
                        List.of("random", "power-of-two"),
                        30_000L,
                        new SessionNames(List.of("x-s"), List.of("user", "k")),
                        "",
                        new LoadTerms(0.5, 3, 0.2),
                        null),
                2_500L,
                4,
                List.of(new PolicyRecord.RateShare("router-0", 5_000), new PolicyRecord.RateShare("router-1", 5_000)),
                3,
                false);

        byte[] bytes = PolicyCodec.encode(policy);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.POLICY);
        assertThat(PolicyCodec.decode(bytes)).isEqualTo(policy);
        PolicyRecord gone =
                new PolicyRecord(HEADER, "org/m", List.of(), PolicyRecord.Strategies.NONE, null, 0, List.of(), 4, true);
        assertThat(PolicyCodec.decode(PolicyCodec.encode(gone))).isEqualTo(gone);
    }

    @Test
    void a_policy_tells_where_prefixes_are_learned_from() throws Exception {
        PolicyRecord policy = new PolicyRecord(
                HEADER,
                "org/m",
                List.of(),
                new PolicyRecord.Strategies("load-balance", null, null, List.of(), 0L, null, "events", null, null),
                null,
                0,
                List.of(),
                3,
                false);

        byte[] bytes = PolicyCodec.encode(policy);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.POLICY_WITH_PREFIX_MODE);
        assertThat(PolicyCodec.decode(bytes)).isEqualTo(policy);
    }

    @Test
    void an_older_writers_policy_has_a_strategy_and_no_parameters() throws Exception {
        PolicyRecord older = PolicyCodec.decode(HexFormat.of().parseHex(GoldenBytes.POLICY_WITHOUT_PARAMETERS));

        assertThat(older.strategies())
                .isEqualTo(new PolicyRecord.Strategies(
                        "least-request", null, null, List.of(), null, null, "", null, null));
        assertThat(older.version()).isEqualTo(3);
    }

    @Test
    void a_policy_tells_how_requests_are_relayed() throws Exception {
        PolicyRecord policy = relayed(new RelayPolicy(
                120_000,
                Set.of(RetryOn.RESET, RetryOn.STATUS_502),
                0.25,
                10_000,
                512,
                List.of(new RelayPolicy.Split("org/m", 95), new RelayPolicy.Split("org/canary", 5)),
                45_000,
                30_000));

        byte[] bytes = PolicyCodec.encode(policy);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.POLICY_WITH_RELAY);
        assertThat(PolicyCodec.decode(bytes)).isEqualTo(policy);
        PolicyRecord defaults = relayed(RelayPolicy.DEFAULT);
        assertThat(HexFormat.of().formatHex(PolicyCodec.encode(defaults)))
                .isEqualTo(GoldenBytes.POLICY_WITH_DEFAULT_RELAY);
        assertThat(PolicyCodec.decode(PolicyCodec.encode(defaults))).isEqualTo(defaults);
    }

    @Test
    void a_policy_for_relays_is_nothing_to_a_reader_that_predates_it() throws Exception {
        var proto =
                dev.penstock.wire.proto.PolicyRecord.parseFrom(HexFormat.of().parseHex(GoldenBytes.POLICY_WITH_RELAY));
        var older = proto.toBuilder().clearRelay().build();

        assertThat(GoldenBytes.POLICY_WITH_RELAY).startsWith(HexFormat.of().formatHex(older.toByteArray()));
        assertThat(PolicyCodec.decode(older.toByteArray()).relay()).isNull();
        assertThat(PolicyCodec.decode(HexFormat.of().parseHex(GoldenBytes.POLICY))
                        .relay())
                .isNull();
    }

    @Test
    void what_a_newer_writer_says_of_relays_leaves_the_rest_of_its_policy_standing() throws Exception {
        var proto =
                dev.penstock.wire.proto.PolicyRecord.parseFrom(HexFormat.of().parseHex(GoldenBytes.POLICY_WITH_RELAY));
        var another = proto.toBuilder();
        another.getRelayBuilder().addRetryOn("520");
        var beyond = proto.toBuilder();
        beyond.getRelayBuilder().setIdleMillis(RelayPolicy.MOST_MILLIS + 1);

        PolicyRecord withAnother = PolicyCodec.decode(another.build().toByteArray());
        PolicyRecord withBeyond = PolicyCodec.decode(beyond.build().toByteArray());

        assertThat(withAnother).isEqualTo(PolicyCodec.decode(proto.toByteArray()));
        assertThat(withBeyond.relay()).isNull();
        assertThat(withBeyond.strategies().own()).isEqualTo("load-balance");
    }

    private static PolicyRecord relayed(RelayPolicy relay) {
        return new PolicyRecord(
                HEADER,
                "org/m",
                List.of(),
                new PolicyRecord.Strategies("load-balance", null, null, List.of(), 0L, null, "", null, relay),
                null,
                0,
                List.of(),
                3,
                false);
    }

    @Test
    void demand_keeps_its_bytes() throws Exception {
        DemandRecord demand = new DemandRecord(
                HEADER, List.of(new DemandRecord.ModelDemand("org/m", POOL, 100, 3, 2, 80, 4, 5, 1, 5, 9_000_000)));

        byte[] bytes = DemandCodec.encode(demand);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.DEMAND);
        assertThat(DemandCodec.decode(bytes)).isEqualTo(demand);
    }

    @Test
    void pool_targets_keep_their_bytes() throws Exception {
        PoolTarget target = new PoolTarget(
                HEADER, POOL, 5, 4, 41_200, Map.of("meanDemand60s", 41.2), true, "no demand for 4 s", 4_000_000, 10);

        byte[] bytes = PoolTargetCodec.encode(target);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.POOL_TARGET);
        assertThat(PoolTargetCodec.decode(bytes)).isEqualTo(target);
    }

    @Test
    void prefixes_keep_their_bytes() throws Exception {
        PrefixRecord record = new PrefixRecord(
                HEADER,
                List.of(
                        new PrefixRecord.PrefixBlocks(3, new long[] {1, -2}, new long[] {0x1122334455667788L}, false),
                        new PrefixRecord.PrefixBlocks(300, new long[0], new long[0], true)));

        byte[] bytes = PrefixCodec.encode(record);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GoldenBytes.PREFIX);
        PrefixRecord back = PrefixCodec.decode(bytes);
        assertThat(back.header()).isEqualTo(HEADER);
        assertThat(back.blocks().getFirst().number()).isEqualTo(3);
        assertThat(back.blocks().getFirst().stored()).containsExactly(1, -2);
        assertThat(back.blocks().getFirst().removed()).containsExactly(0x1122334455667788L);
        assertThat(back.blocks().getLast().number()).isEqualTo(300);
        assertThat(back.blocks().getLast().cleared()).isTrue();
    }

    @Test
    void garbage_is_named_and_not_thrown_at_the_reader_as_something_else() {
        byte[] garbage = {(byte) 0xff, 1, 2};

        assertThatThrownBy(() -> RosterCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> TelemetryCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> InflightCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> OutcomesCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> PrefixCodec.decode(garbage)).isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> RosterCodec.decode(new byte[0])).hasMessageContaining("producer");
    }
}
