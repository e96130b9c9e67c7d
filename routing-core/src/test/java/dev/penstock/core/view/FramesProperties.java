package dev.penstock.core.view;

import static dev.penstock.core.view.SourceFleet.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.view.FaultyLink.Fate;
import dev.penstock.core.view.FramesScenario.Change;
import dev.penstock.core.view.FramesScenario.Kind;
import dev.penstock.model.Freshness;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Whatever a link does to frames and vectors, and whenever their senders restart: a view never passes old off as young, and
 * knows the truth again one full frame after the last late record.
 */
class FramesProperties {
    private static final int CHANGES = 120;
    private static final int FATES = 420;
    private static final int LATE_MILLIS = 3_000;

    /** Fulls are due each second and go out with the next tick. */
    private static final long FULL_PERIOD = SourceCollector.FULL + SourceCollector.TICK;

    /** By then every engine was sampled again. */
    private static final long NEXT_SAMPLE = 250 * MS + SourceCollector.TICK;

    private static final long FOREVER = Long.MAX_VALUE / 4;

    @Provide
    Arbitrary<List<Change>> changes() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(20, Kind.NOTHING),
                Tuple.of(20, Kind.READING),
                Tuple.of(10, Kind.IN_FLIGHT),
                Tuple.of(3, Kind.MUTE),
                Tuple.of(1, Kind.RESTART_COLLECTOR),
                Tuple.of(1, Kind.OVERLAP),
                Tuple.of(1, Kind.RESTART_PEER),
                Tuple.of(1, Kind.CUT),
                Tuple.of(1, Kind.STALL));
        return Combinators.combine(kinds, Arbitraries.integers().between(0, 100))
                .as(Change::new)
                .list()
                .ofMaxSize(CHANGES)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    @Provide
    Arbitrary<List<Fate>> fates() {
        Arbitrary<Integer> late = Arbitraries.integers().between(1, LATE_MILLIS);
        Arbitrary<Fate> fate = Arbitraries.frequencyOf(
                Tuple.of(12, Arbitraries.just(Fate.PERFECT)),
                Tuple.of(2, Arbitraries.just(new Fate(true, 0, -1))),
                Tuple.of(2, Arbitraries.integers().between(1, 120).map(millis -> new Fate(false, millis, -1))),
                Tuple.of(1, late.map(millis -> new Fate(false, millis, -1))),
                Tuple.of(1, late.map(millis -> new Fate(false, 0, millis))));
        return fate.list().ofMaxSize(FATES).withSizeDistribution(RandomDistribution.uniform());
    }

    /** The checks are in the scenario, at each delivery and before it: no going back, and nothing FRESH that is old. */
    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE, seed = "1")
    void old_is_never_passed_off_as_young(
            @ForAll @IntRange(min = 1, max = 3) int shards,
            @ForAll("fates") List<Fate> fates,
            @ForAll("changes") List<Change> changes) {
        FramesScenario scenario = new FramesScenario(shards, fates);

        scenario.run(changes);
        scenario.run(LATE_MILLIS * MS);
    }

    /**
     * The full frame is one of samples taken after that record came: where no record of a collector was quick, its samples
     * seem younger than they are, and those of another lose against them until then. An incarnation's first frame is at best
     * STALE, and the sample after it FRESH.
     */
    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE, seed = "1")
    void the_view_equals_the_source_one_full_frame_after_the_last_late_record(
            @ForAll @IntRange(min = 1, max = 3) int shards,
            @ForAll("fates") List<Fate> fates,
            @ForAll("changes") List<Change> changes) {
        FramesScenario scenario = new FramesScenario(shards, fates);
        for (SourceFleet.Engine engine : scenario.fleet.engines) scenario.view.served(engine.number, FOREVER);

        scenario.run(changes);
        scenario.mend();
        scenario.run(NEXT_SAMPLE + FULL_PERIOD);
        for (SourceFleet.Engine engine : scenario.fleet.engines) assertEqual(scenario, engine);

        scenario.run(NEXT_SAMPLE);
        for (SourceFleet.Engine engine : scenario.fleet.engines) {
            assertEqual(scenario, engine);
            assertThat(scenario.view.freshness(engine.number, scenario.now())).isEqualTo(Freshness.FRESH);
        }
    }

    private static void assertEqual(FramesScenario scenario, SourceFleet.Engine engine) {
        ReplicaCell.Telemetry shown = scenario.view.shown(engine.number);
        assertThat(shown.running()).isEqualTo(engine.version());
        assertThat(shown.waiting()).isEqualTo(3 * engine.version() + 1);
        assertThat(shown.kvUsedPpm()).isEqualTo(7 * engine.version());
        int inFlight = scenario.peer.inFlight.getOrDefault(engine.number, 0);
        int taken = Math.max(1_000 * inFlight, shareMilli(scenario));
        assertThat(scenario.view.peersMilli(engine.number)).isCloseTo(taken, within(1));
    }

    private static int shareMilli(FramesScenario scenario) {
        int inFlight = scenario.peer.inFlight.values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        return 1_000 * inFlight / scenario.fleet.engines.size();
    }

    /** Old counts keep away less and less, and draw nobody: a replica has its fair share at least, and no more than was told. */
    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE, seed = "1")
    void peers_are_taken_to_have_between_their_share_and_what_they_told(
            @ForAll("fates") List<Fate> fates, @ForAll("changes") List<Change> changes) {
        FramesScenario scenario = new FramesScenario(1, fates);

        scenario.run(changes);
        scenario.mend();
        scenario.run(FULL_PERIOD);

        int share = shareMilli(scenario);
        for (SourceFleet.Engine engine : scenario.fleet.engines) {
            int told = 1_000 * scenario.peer.inFlight.getOrDefault(engine.number, 0);
            assertThat(scenario.view.peersMilli(engine.number)).isBetween(share - 1, Math.max(share, told) + 1);
        }
    }

    /** Records of single writers, in any order, within the 30 s after which an epoch is forgotten. */
    @Property(tries = 500, seed = "1")
    void a_displaced_owners_record_replaces_nothing(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 9) Integer> epochs) {
        ViewUnderTest view = new ViewUnderTest();
        view.join(1);
        int highest = -1;
        for (int i = 0; i < epochs.size(); i++) {
            int epoch = epochs.get(i);
            highest = Math.max(highest, epoch);
            long at = i * 100 * MS;

            view.apply(verdict(epoch), at);
            assertThat(view.verdict(1, at)).isEqualTo(new Verdict.Suspect("epoch " + highest));
        }
        for (int i = 0; i < epochs.size(); i++) {
            view.apply(roster(epochs.get(i)), i * 100 * MS);
            int youngest = epochs.subList(0, i + 1).stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElseThrow();
            assertThat(view.uid(1)).isEqualTo("epoch " + youngest);
        }
    }

    private static HealthRecord verdict(int epoch) {
        Header header = new Header("health-" + epoch, epoch, 1, epoch, 0);
        return new HealthRecord(
                header, 1, "u", new Verdict.Suspect("epoch " + epoch), 60_000_000, HealthRecord.NO_PASS, 0);
    }

    private static RosterRecord roster(int epoch) {
        RosterRecord record = ReplicaBuilder.replica(1).uid("epoch " + epoch).present();
        return new RosterRecord(new Header("collector", epoch, 1, epoch, 0), record.replica(), false, 1, 0);
    }

    /**
     * Two replicas with the same own and peers' requests and the same last reading; one of them was never heard of, or falls
     * silent, in a fleet of their like.
     */
    @Property(tries = 300, seed = "1")
    void a_missing_replica_is_never_less_loaded_than_its_fresh_like(
            @ForAll @IntRange(min = 0, max = 40) int reading,
            @ForAll @IntRange(min = 0, max = 20) int ownBefore,
            @ForAll @IntRange(min = 0, max = 20) int ownSince,
            @ForAll @IntRange(min = 0, max = 20) int peers,
            @ForAll @IntRange(min = 2_001, max = 60_000) int silentMillis,
            @ForAll boolean everHeard) {
        LikeReplicas likes = new LikeReplicas(reading, peers);
        likes.send(ownBefore);
        if (everHeard) likes.tellAll();
        likes.silence(silentMillis);
        likes.send(ownSince);

        assertThat(likes.freshness(LikeReplicas.MISSING)).isEqualTo(Freshness.MISSING);
        assertThat(likes.freshness(LikeReplicas.FRESH)).isEqualTo(Freshness.FRESH);
        assertThat(likes.loadMilli(LikeReplicas.MISSING)).isGreaterThanOrEqualTo(likes.loadMilli(LikeReplicas.FRESH));
    }
}
