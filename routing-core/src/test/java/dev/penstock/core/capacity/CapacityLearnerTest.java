package dev.penstock.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.capacity.CapacityLearner.Observed;
import dev.penstock.core.capacity.LearningPool.HiddenEngine;
import dev.penstock.testkit.Seeds;
import org.junit.jupiter.api.Test;

class CapacityLearnerTest {
    private static final long SECOND = LearningPool.TICK_NANOS;

    private final CapacityLearner learner = new CapacityLearner();
    private final LearningPool pool = new LearningPool(learner, Seeds.of(7).random());

    private void tenSlowAndTenFast(double fastHalf) {
        for (int i = 0; i < 10; i++) {
            pool.add("slow", 1_000, 12);
            pool.add("fast", 2_000, fastHalf);
        }
    }

    /** Who is told by it what it was before would be told by a guess. */
    @Test
    void theMiddleIsNotKnownBeforeAnythingWasSettled() {
        learner.expect(1, "", 36);
        assertThat(learner.middleMilli()).isZero();

        learner.settle(SECOND);

        assertThat(learner.middleMilli()).isPositive();
    }

    @Test
    void speedIsKnownToAFewPerCent() {
        tenSlowAndTenFast(12);

        pool.run(120, LearningPool::swing);

        for (HiddenEngine each : pool.engines) {
            assertThat(learner.throughput(each.number)).isCloseTo(each.perSecond, within(0.06 * each.perSecond));
        }
    }

    @Test
    void whoDoesEachThingInHalfTheTimeIsAsUtilisedAtTheSameInFlight() {
        tenSlowAndTenFast(12);

        pool.run(120, LearningPool::swing);

        assertThat(learner.capacityMilli(0)).isBetween(950, 1_050);
        assertThat(learner.capacityMilli(1)).isBetween(950, 1_050);
    }

    @Test
    void whoDoesTwiceAsMuchAtATimeIsAsUtilisedAtTwiceTheInFlight() {
        tenSlowAndTenFast(24);

        pool.run(180, LearningPool::swing);

        assertThat((double) learner.capacityMilli(1) / learner.capacityMilli(0)).isCloseTo(2, within(0.25));
        assertThat(learner.half(0)).isCloseTo(12, within(1.5));
        assertThat(learner.half(1)).isCloseTo(24, within(3.0));
    }

    @Test
    void withoutLabelsOneLearnsItsOwn() {
        for (int i = 0; i < 10; i++) {
            pool.add("", 1_000, 12);
            pool.add("", 2_000, 24);
        }

        pool.run(300, LearningPool::swing);

        assertThat(learner.half(0)).isCloseTo(12, within(2.5));
        assertThat(learner.half(1)).isCloseTo(24, within(5.0));
        for (HiddenEngine each : pool.engines) assertThat(pool.relative(each)).isCloseTo(1, within(0.15));
    }

    /** At a steady load nobody can tell where an engine saturates: all are taken to be alike in that. */
    @Test
    void whatHasNotVariedDecidesNothing() {
        for (int i = 0; i < 4; i++) pool.add("", 1_000 + 100 * i, 12);
        for (HiddenEngine each : pool.engines) learner.observe(each.number, "", each.work(8), 8, SECOND);

        learner.settle(SECOND);

        for (HiddenEngine each : pool.engines)
            assertThat(learner.capacityMilli(each.number)).isEqualTo(1_000);
    }

    @Test
    void anIdleReplicaIsNotTakenForSlow() {
        tenSlowAndTenFast(12);
        pool.run(120, LearningPool::swing);
        double before = learner.throughput(1);

        for (int i = 0; i < 300; i++) {
            for (HiddenEngine each : pool.engines) {
                boolean idle = each.number == 1;
                learner.observe(each.number, each.hardwareClass, idle ? 3 : each.work(10), idle ? 0.1 : 10, SECOND);
            }
            learner.settle(SECOND);
        }

        assertThat(learner.throughput(1)).isCloseTo(before, within(0.07 * before));
    }

    @Test
    void aNewReplicaIsLikeItsClass() {
        tenSlowAndTenFast(24);
        pool.run(180, LearningPool::swing);

        learner.observe(20, "fast", 0, 0, SECOND);
        learner.settle(SECOND);

        assertThat(learner.throughput(20)).isCloseTo(2_000, within(100.0));
        assertThat(learner.capacityMilli(20)).isCloseTo(learner.capacityMilli(1), within(100));
    }

    @Test
    void aNewClassIsLikeThePool() {
        tenSlowAndTenFast(12);
        pool.run(120, LearningPool::swing);

        learner.observe(20, "unheard-of", 0, 0, SECOND);
        learner.settle(SECOND);

        assertThat(learner.throughput(20)).isBetween(1_000.0, 2_000.0);
        assertThat(learner.capacityMilli(20)).isBetween(900, 1_100);
    }

    @Test
    void aTwofoldStepIsKnownWithinAMinute() {
        tenSlowAndTenFast(12);
        pool.run(120, LearningPool::swing);
        HiddenEngine slower = pool.engines.get(1);
        HiddenEngine faster = pool.engines.get(2);
        slower.perSecond /= 2;
        faster.perSecond *= 2;

        pool.run(60, second -> 5);

        assertThat(pool.relative(slower)).isCloseTo(1, within(0.1));
        assertThat(pool.relative(faster)).isCloseTo(1, within(0.1));
        for (HiddenEngine each : pool.engines) assertThat(pool.relative(each)).isCloseTo(1, within(0.1));
    }

    /** 20 %: in the first seconds of so sudden a shift, chance has some of the twenty taken for changed. */
    @Test
    void whatMovesAllAlikeIsNobodysChange() {
        tenSlowAndTenFast(24);
        pool.run(180, LearningPool::swing);
        int before = learner.capacityMilli(1);

        for (int i = 0; i < 6; i++) {
            pool.run(10, second -> 8, 0.5);
            for (HiddenEngine each : pool.engines)
                assertThat(pool.relative(each)).isCloseTo(1, within(0.2));
        }

        assertThat(learner.capacityMilli(1)).isCloseTo(before, within(200));
    }

    @Test
    void whoHadNothingForTenSecondsIsGivenEnoughForOneRequest() {
        tenSlowAndTenFast(24);
        pool.run(180, LearningPool::swing);
        int before = learner.capacityMilli(0);

        for (int i = 0; i < 10; i++) {
            for (HiddenEngine each : pool.engines) {
                double inflight = each.number == 0 ? 0 : 1;
                learner.observe(each.number, each.hardwareClass, each.work(inflight), inflight, SECOND);
            }
            learner.settle(SECOND);
        }
        int idle = learner.capacityMilli(0);

        // An idle one is worth (0 + 1) / capacity; a fast one with one request in flight (1 + 1) / its capacity.
        assertThat(idle).isGreaterThanOrEqualTo(before);
        assertThat(1.0 / idle).isLessThanOrEqualTo(1.01 * 2.0 / learner.capacityMilli(1));

        learner.observe(0, "slow", 10, 1, SECOND);
        learner.settle(SECOND);

        assertThat(learner.capacityMilli(0)).isCloseTo(before, within(60));
    }

    @Test
    void ofAnEngineThatBeganAnewLittleIsKept() {
        tenSlowAndTenFast(12);
        pool.run(120, LearningPool::swing);
        double before = learner.evidenceSeconds(1);

        learner.restarted(1);

        assertThat(learner.evidenceSeconds(1)).isCloseTo(before / 5, within(1e-9));
    }

    @Test
    void theGoneAreForgotten() {
        tenSlowAndTenFast(12);
        pool.run(20, second -> 8);

        learner.forget(3);
        learner.settle(SECOND);

        assertThat(learner.capacityMilli(3)).isZero();
        assertThat(learner.evidenceSeconds(3)).isZero();
        assertThat(learner.evidenceSeconds(4)).isPositive();
    }

    @Test
    void nonsenseIsRefused() {
        assertThat(learner.observe(-1, "", 1, 1, SECOND)).isEqualTo(Observed.REFUSED);
        assertThat(learner.observe(0, "", Double.NaN, 1, SECOND)).isEqualTo(Observed.REFUSED);
        assertThat(learner.observe(0, "", -5, 1, SECOND)).isEqualTo(Observed.REFUSED);
        assertThat(learner.observe(0, "", 1, Double.POSITIVE_INFINITY, SECOND)).isEqualTo(Observed.REFUSED);
        assertThat(learner.observe(0, "", 1, 1, 0)).isEqualTo(Observed.REFUSED);
        assertThat(learner.observe(0, "", 1, 0.4, SECOND)).isEqualTo(Observed.IDLE);
        assertThat(learner.observe(0, "", 1, 1, SECOND)).isEqualTo(Observed.LEARNED);
    }
}
