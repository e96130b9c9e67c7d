package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.quarantine.Quarantine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 4 routers and 20 replicas, of which one has a fault from 5 s on. */
class EngineFaultTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int NUMBER = 7;
    private static final long AT = 5 * SECOND;
    private static final long UNTIL = 25 * SECOND;
    private static final Scene.Span SPAN = new Scene.Span(4 * SECOND, 36 * SECOND, 0);

    /** 24 slots: each router sends each replica about 5 requests a second. */
    private static final Scene DENSE = scene(24);

    /** 2 slots: about 0.4 a second, and often it has none there when the fault comes. */
    private static final Scene SPARSE = scene(2);

    /** Long prompts, 12,000 tokens on average. */
    private static final Scene BATCHES = batches();

    private static Scene batches() {
        Recording recording = Recording.generated(2_000);
        double speed = recording.speedFor(0.8, 20, BatchProfile.LLAMA_8B_H100);
        return new Scene(
                20,
                new EngineModel.Batch(BatchProfile.LLAMA_8B_H100),
                4,
                new Workload.Replay(recording, speed),
                Scene.aged(100_000_000L),
                SPAN,
                null,
                null,
                null,
                List.of());
    }

    private static Scene scene(int slots) {
        return Scene.ofSlots(20, slots, 4, new ServiceTimes.Exponential(SECOND), 0.8, 100_000_000L, SPAN);
    }

    private static final EngineFault CRASH = new EngineFault.Crash(NUMBER, AT, UNTIL);
    private static final EngineFault MUTE = new EngineFault.Blackhole(NUMBER, AT, UNTIL, false);
    private static final EngineFault STUCK = new EngineFault.Blackhole(NUMBER, AT, UNTIL, true);
    private static final EngineFault GRAY = new EngineFault.Gray(NUMBER, AT, UNTIL, 0.3);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aCrashCostsNoRouterMoreThanThreeConnectsUntilTheReplicaIsBack(long seed) {
        for (Scene scene : List.of(DENSE, SPARSE)) {
            Tally tally = new Fleet(scene.with(CRASH), Policy.PENSTOCK, seed).run();

            assertThat(routers(tally)).hasSize(4).allSatisfy(router -> {
                assertThat(router.sent).isLessThanOrEqualTo(Quarantine.FAILURES_IN_ROW);
                assertThat(router.failedSentMeanwhile).isZero();
                assertThat(router.sentInQuarantine).isZero();
                assertThat(router.sentAfter).isPositive();
            });
            // Another replica took what was refused: what failed was there when it crashed.
            assertThat(tally.failed)
                    .isEqualTo(routers(tally).stream()
                            .mapToLong(each -> each.failedSentBefore)
                            .sum());
            assertThat(tally.refused).isZero();
        }
    }

    @Test
    void aCrashedReplicaGetsItsShareAgain() {
        Tally tally = new Fleet(DENSE.with(CRASH), Policy.PENSTOCK, 1).run();

        // 4.8 a second for 15 s, less the longest wait of 10 s and a quarter, and a trial.
        assertThat(routers(tally))
                .allSatisfy(router -> assertThat(router.sentAfter).isGreaterThan(10));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aBlackHoleIsQuarantinedForItsSilence(long seed) {
        for (EngineFault fault : List.of(MUTE, STUCK)) {
            Tally tally = new Fleet(DENSE.with(fault), Policy.PENSTOCK, seed).run();

            assertThat(routers(tally)).hasSize(4).allSatisfy(router -> {
                assertThat(router.quarantinedSeconds).isBetween(1.4, 2.5);
                assertThat(router.passesNeeded).isEqualTo(1);
                assertThat(router.sentInQuarantine).isZero();
                assertThat(router.sentAfter).isPositive();
            });
            assertThat(tally.faults.getFirst().secondsUntilNobodySends()).isLessThan(2.5);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aGrayReplicaIsQuarantinedForItsFailures(long seed) {
        Tally tally = new Fleet(DENSE.with(GRAY), Policy.PENSTOCK, seed).run();

        assertThat(routers(tally)).hasSize(4).allSatisfy(router -> {
            assertThat(router.quarantinedSeconds).isLessThan(15);
            assertThat(router.sentInQuarantine).isZero();
        });
        // Not each: three failures in a row may come first.
        assertThat(routers(tally))
                .anySatisfy(router -> assertThat(router.passesNeeded).isEqualTo(Quarantine.GRAY_PASSES));
    }

    @Test
    void roundRobinGoesOnSending() {
        for (EngineFault fault : List.of(CRASH, MUTE, STUCK, GRAY)) {
            Tally tally = new Fleet(DENSE.with(fault), Policy.ROUND_ROBIN, 1).run();

            // Its share of 384 a second for 20 s.
            assertThat(routers(tally))
                    .allSatisfy(router -> assertThat(router.sent).isBetween(75L, 130L));
            assertThat(tally.faults.getFirst().secondsUntilNobodySends()).isGreaterThan(19);
            assertThat(tally.refused).isZero();
        }
    }

    /** Consistent hashing is of sessions, and all of a run without sessions is one: at a replica without a fault. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PREFIX_ORACLE", "CONSISTENT_HASH"})
    void sameSeedSameFiguresAndNoRequestIsLost(Policy policy) {
        Scene scene = SPARSE.with(CRASH)
                .with(new EngineFault.Blackhole(8, AT, 60 * SECOND, true))
                .with(new EngineFault.Gray(9, AT, UNTIL, 0.3))
                .with(new Scene.Kill(SECOND));

        Tally one = new Fleet(scene, policy, 7).run();
        Tally two = new Fleet(scene, policy, 7).run();

        assertThat(two)
                .usingRecursiveComparison()
                .withEqualsForType(Double::equals, Double.class)
                .isEqualTo(one);
        assertThat(one.failed).isPositive();
        assertThat(one.arrived).isEqualTo(one.running + one.queued + one.ended());
    }

    /** Streams are heard, and what waits for its turn waits at an engine whose heartbeat moves. */
    @Test
    void nothingIsQuarantinedWithoutReason() {
        for (Scene each : List.of(DENSE, SPARSE, BATCHES)) {
            Scene scene = each;
            for (int number = 0; number < 20; number++) {
                scene = scene.with(new EngineFault.Gray(number, 0, 40 * SECOND, Double.MIN_VALUE));
            }

            Tally tally = new Fleet(scene, Policy.PENSTOCK, 1).run();

            assertThat(tally.faults)
                    .allSatisfy(fault -> assertThat(fault.routers().values())
                            .hasSize(4)
                            .allSatisfy(router -> {
                                assertThat(router.sent).isPositive();
                                assertThat(router.quarantinedSeconds).isNaN();
                            }));
        }
    }

    @Test
    void enginesOfBatchesFailAlike() {
        Tally crash = new Fleet(BATCHES.with(CRASH), Policy.PENSTOCK, 1).run();
        Tally gray = new Fleet(BATCHES.with(GRAY), Policy.PENSTOCK, 1).run();

        assertThat(routers(crash)).allSatisfy(router -> {
            assertThat(router.sent).isLessThanOrEqualTo(Quarantine.FAILURES_IN_ROW);
            assertThat(router.failedSentMeanwhile).isZero();
            assertThat(router.sentAfter).isPositive();
        });
        assertThat(gray.failed).isPositive();
        assertThat(List.of(crash, gray))
                .allSatisfy(tally -> assertThat(tally.arrived).isEqualTo(tally.running + tally.queued + tally.ended()));
    }

    /** 12,000 outstanding tokens are waited for for 18 s; where all prompts are done, 1.5 s are enough. */
    @Test
    void anEngineOfBatchesIsSilentWhenItsPromptsShouldHaveBeenDone() {
        List<FaultTally.ByRouter> all = new ArrayList<>();
        for (long seed = 1; seed <= 5; seed++) {
            Tally tally = new Fleet(BATCHES.with(STUCK), Policy.PENSTOCK, seed).run();
            assertThat(tally.arrived).isEqualTo(tally.running + tally.queued + tally.ended());
            all.addAll(routers(tally));
        }

        assertThat(all).hasSize(20).allSatisfy(router -> {
            double silentFrom = router.failedSentBefore > 0 ? 0 : router.firstSentSeconds;
            double due = silentFrom + Math.clamp(3.0 * router.promptTokens / 2_000, 1.5, 30);
            // A look each 100 ms, and what was heard before was heard at the one before.
            if (Double.isNaN(router.quarantinedSeconds)) {
                assertThat(due).isGreaterThan(20 - 0.3);
            } else {
                assertThat(router.quarantinedSeconds).isCloseTo(due, within(0.3));
            }
        });
        assertThat(all)
                .anySatisfy(router -> assertThat(router.quarantinedSeconds).isLessThan(2));
        assertThat(all)
                .anySatisfy(router -> assertThat(router.quarantinedSeconds).isGreaterThan(3));
    }

    /** There is no other: each request asks it once, in spite of the quarantine, and is refused. */
    @Test
    void aRequestTriesNoReplicaTwice() {
        Scene sole = Scene.ofSlots(1, 24, 1, new ServiceTimes.Exponential(SECOND), 0.8, 100_000_000L, SPAN);

        Tally tally = new Fleet(sole.with(new EngineFault.Crash(0, AT, UNTIL)), Policy.PENSTOCK, 1).run();

        assertThat(tally.refused).isPositive();
        assertThat(routers(tally)).allSatisfy(router -> assertThat(router.sent).isEqualTo(tally.refused));
    }

    @Test
    void telemetryStopsWithTheEngine() {
        assertThat(sampledMeanwhile(CRASH)).isFalse();
        assertThat(sampledMeanwhile(MUTE)).isFalse();
        assertThat(sampledMeanwhile(STUCK)).isTrue();
        assertThat(sampledMeanwhile(GRAY)).isTrue();
    }

    private static boolean sampledMeanwhile(EngineFault fault) {
        var events = new EventQueue();
        var replicas = new Replicas();
        Engine engine = new FaultyEngine(
                ended -> new SlotEngine(events, 1, ColdStart.NONE, ended),
                fault,
                events,
                new SplittableRandom(1),
                request -> {},
                request -> {});
        replicas.add(engine, 0);
        var collector = new SimCollector("collector-0", replicas, number -> true);
        assertThat(collector.sample(0)).isNotEmpty();
        events.runUntil(AT);
        boolean sampled = !collector.sample(AT).isEmpty();
        events.runUntil(UNTIL);
        assertThat(collector.sample(UNTIL)).isNotEmpty();
        return sampled;
    }

    @Test
    void aReplicaHasOneFault() {
        Scene scene = DENSE.with(CRASH);

        assertThatThrownBy(() -> scene.with(GRAY)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> scene.with(new EngineFault.Crash(20, AT, UNTIL)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Collection<FaultTally.ByRouter> routers(Tally tally) {
        return tally.faults.getFirst().routers().values();
    }
}
