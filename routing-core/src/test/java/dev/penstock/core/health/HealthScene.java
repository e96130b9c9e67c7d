package dev.penstock.core.health;

import dev.penstock.model.DurationSketch;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.model.Replica;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.record.ReplicaBuilder;
import dev.penstock.testkit.record.SampleBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A fleet of one pool, two routers and a clock. Replicas are HEALTHY to begin with. */
final class HealthScene {
    static final String A = "router-a";
    static final String B = "router-b";
    private static final DurationSketch NOTHING = new DurationSketch();

    final ManualClock clock = new ManualClock();
    final List<Transition> transitions = new ArrayList<>();
    final FleetHealth fleet;
    private final Map<String, Long> sequences = new HashMap<>();

    HealthScene(int replicas) {
        this(replicas, HealthRules.DEFAULT, new Random(1));
    }

    HealthScene(int replicas, HealthRules rules, Random random) {
        fleet = new FleetHealth(rules, random, transitions::add, clock.getAsLong());
        for (int number = 1; number <= replicas; number++) {
            fleet.present(ReplicaBuilder.replica(number).build(), clock.getAsLong());
        }
        fleet.routers(List.of(A, B));
        fleet.lead();
        for (int number = 1; number <= replicas; number++) ok(A, number, 1);
        transitions.clear();
    }

    ReplicaHealth health(int number) {
        ReplicaHealth health = fleet.byNumber(number);
        if (health == null) throw new AssertionError("no replica " + number);
        return health;
    }

    Verdict verdict(int number) {
        return health(number).verdict(clock.getAsLong());
    }

    Verdict.Severity severity(int number) {
        return verdict(number) instanceof Verdict.Ejected e ? e.severity() : null;
    }

    void ok(String router, int number, int count) {
        told(router, number, Map.of(Outcome.OK, count), 0, false, false);
    }

    void failed(String router, int number, int count) {
        told(router, number, Map.of(Outcome.REPLICA_ERROR, count), 0, false, false);
    }

    void ended(String router, int number, Outcome outcome, int count) {
        told(router, number, Map.of(outcome, count), 0, false, false);
    }

    void quarantined(String router, int number) {
        told(router, number, Map.of(), 0, true, false);
    }

    void connectFailed(String router, int number) {
        told(router, number, Map.of(), 1, false, false);
    }

    void flowing(String router, int number) {
        told(router, number, Map.of(), 0, false, true);
    }

    void told(
            String router, int number, Map<Outcome, Integer> counts, int connects, boolean quarantined, boolean flows) {
        Outcomes.ReplicaOutcomes seen =
                new Outcomes.ReplicaOutcomes(number, counts, connects, NOTHING, NOTHING, 0, quarantined, flows);
        fleet.outcomes(new Outcomes(header(router), List.of(seen)), clock.getAsLong());
    }

    void ttft(String router, int number, long millis, int count) {
        DurationSketch ttft = new DurationSketch();
        for (int i = 0; i < count; i++) ttft.record(millis * 1000);
        Outcomes.ReplicaOutcomes seen = new Outcomes.ReplicaOutcomes(
                number, Map.of(Outcome.OK, count), 0, ttft, new DurationSketch(), 0, false, false);
        fleet.outcomes(new Outcomes(header(router), List.of(seen)), clock.getAsLong());
    }

    void probe(int number, ProbeResult.Kind kind) {
        health(number).probeStarted(clock.getAsLong());
        fleet.probed(health(number), new ProbeResult(kind, kind.name(), 1_000_000), clock.getAsLong());
    }

    void pass(int number, int count) {
        for (int i = 0; i < count; i++) probe(number, ProbeResult.Kind.PASSED);
    }

    void probesFail(int number, int count) {
        for (int i = 0; i < count; i++) probe(number, ProbeResult.Kind.FAILED);
    }

    void sample(int number, long heartbeat) {
        Replica replica = health(number).replica();
        Sample sample = SampleBuilder.sample(number).heartbeat(heartbeat).build();
        fleet.telemetry(
                new TelemetryFrame(
                        header("collector/" + replica.shard()),
                        replica.shard(),
                        true,
                        new BitSet(),
                        0,
                        List.of(sample)),
                clock.getAsLong());
    }

    HealthRecord record(int number) {
        return health(number).record(header("health-0"), 10_000_000, clock.getAsLong());
    }

    /** Time passes, judged each 50 ms. */
    void after(long millis) {
        for (long left = millis; left > 0; left -= 50) {
            clock.advanceMillis(Math.min(50, left));
            fleet.tick(clock.getAsLong());
        }
    }

    private Header header(String producer) {
        long sequence = sequences.merge(producer, 1L, Long::sum);
        return new Header(producer, 1, sequence, Header.NO_EPOCH, clock.getAsLong());
    }
}
