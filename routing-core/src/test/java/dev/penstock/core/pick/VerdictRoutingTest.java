package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.Bias;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Verdict;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VerdictRoutingTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final Verdict HARD = new Verdict.Ejected(Verdict.Severity.HARD, "refused", 1, 5_000_000);
    private static final Verdict SOFT = new Verdict.Ejected(Verdict.Severity.SOFT, "cut streams", 1, 5_000_000);

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(7);
    private final Routing out = new Routing();
    private final Fleet fleet = Fleet.fresh(3, NOW);

    @Test
    void an_ejected_replica_is_passed_over_until_the_verdict_expires() {
        judge(1, "u", HARD, 5);
        judge(2, "u", SOFT, 5);

        assertThat(pick(NOW + SECOND)).isEqualTo(3);
        assertThat(out.excluded()).isEqualTo(2);
        assertThat(cell(1).exclusion(NOW + 11 * SECOND)).isEqualTo(ReplicaCell.Exclusion.NONE);
    }

    @Test
    void a_verdict_that_has_expired_on_another_thread_only_is_no_panic() {
        judge(1, "u", HARD, 5);
        cell(2).acquire();
        cell(3).acquire();
        fleet.view.refresh(NOW + 10 * SECOND);

        assertThat(pick(NOW + 10 * SECOND - 1)).isEqualTo(1);
        assertThat(out.reason()).isEqualTo(Routing.Reason.STRATEGY);
    }

    @Test
    void when_all_are_excluded_the_mildest_reason_wins_and_the_answer_is_marked() {
        judge(1, "u", HARD, 5);
        judge(2, "u", SOFT, 5);
        for (int i = 0; i < 3; i++) cell(3).failed(1, NOW, random);
        cell(2).acquire();

        assertThat(pick(NOW)).isEqualTo(2);
        assertThat(out.reason()).isEqualTo(Routing.Reason.PANIC);

        // the soft one was tried: next this router's own quarantine, last what is known to be dead
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica().replica().number()).isEqualTo(3);
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica().replica().number()).isEqualTo(1);
    }

    @Test
    void verdicts_on_another_incarnation_or_of_a_displaced_owner_are_dropped() {
        judge(1, "another", HARD, 5);
        assertThat(cell(1).exclusion(NOW)).isEqualTo(ReplicaCell.Exclusion.NONE);

        judge(1, "u", Verdict.HEALTHY, 6);
        judge(1, "u", HARD, 5);
        assertThat(cell(1).exclusion(NOW)).isEqualTo(ReplicaCell.Exclusion.NONE);
    }

    @Test
    void a_half_open_replica_takes_one_request_of_the_permitted_router() {
        judge(1, "u", new Verdict.HalfOpen("refused", 1, "router-1", 0), 5);
        assertThat(cell(1).exclusion(NOW)).isEqualTo(ReplicaCell.Exclusion.SOFT);

        judge(1, "u", new Verdict.HalfOpen("refused", 1, "router-0", 0), 5);
        cell(2).acquire();
        cell(3).acquire();
        assertThat(pick(NOW)).isEqualTo(1);
        assertThat(pick(NOW)).isNotEqualTo(1);

        // the next permit, after a success
        judge(1, "u", new Verdict.HalfOpen("refused", 1, "router-0", 1), 5);
        assertThat(pick(NOW)).isEqualTo(1);
        // one that told nothing may be used again after 5 s
        fleet.view.refresh(NOW + 4 * SECOND);
        assertThat(pick(NOW + 4 * SECOND)).isNotEqualTo(1);
        fleet.view.refresh(NOW + 6 * SECOND);
        assertThat(pick(NOW + 6 * SECOND)).isEqualTo(1);
    }

    @Test
    void a_replica_in_its_ramp_counts_as_if_it_had_the_rest_of_its_share_already() {
        for (int i = 0; i < 6; i++) cell(2).acquire();
        for (int i = 0; i < 6; i++) cell(3).acquire();
        judge(1, "u", new Verdict.Ramp(5_000_000, 15_000_000), 5);
        refresh(NOW);

        // 5 s into 15: a third; the others have 6 each, and two thirds of that are not its own yet
        assertThat(cell(1).biasMilli()).isEqualTo(4_000);
        // valid for 10 s from its receipt; 12.5 s in at 7.5 s
        refresh(NOW + 15 * SECOND / 2);
        assertThat(Bias.RAMP.in(cell(1).biasCauses())).isTrue();
        refresh(NOW + 10 * SECOND);
        assertThat(Bias.RAMP.in(cell(1).biasCauses())).isFalse();
    }

    private void refresh(long nowNanos) {
        // a mean is known after a sweep and used in the next; it rises by 4 a sweep at most
        fleet.sampleAll(3, nowNanos);
        for (int i = 0; i < 3; i++) fleet.view.refresh(nowNanos);
    }

    @Test
    void the_way_back_from_quarantine_waits_for_a_probe_that_passed_since() {
        for (int i = 0; i < 3; i++) cell(1).failed(1, NOW, random);
        Quarantine.Shut shut = (Quarantine.Shut) cell(1).quarantine();
        assertThat(fleet.view.healthSilent(NOW)).isTrue();

        fleet.view.apply(record(1, "u", new Verdict.Suspect("quarantined"), 5, 2_000_000, 1), NOW + SECOND);
        assertThat(cell(1).probePassedSince(shut)).isFalse();
        assertThat(fleet.view.healthSilent(NOW + 2 * SECOND)).isFalse();

        fleet.view.apply(record(1, "u", new Verdict.Suspect("quarantined"), 5, 500_000, 1), NOW + SECOND);
        assertThat(cell(1).probePassedSince(shut)).isTrue();
        assertThat(fleet.view.healthSilent(NOW + 7 * SECOND)).isTrue();
    }

    private int pick(long nowNanos) {
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, nowNanos, random, out);
        return out.replica().replica().number();
    }

    private void judge(int number, String uid, Verdict verdict, long epoch) {
        fleet.view.apply(record(number, uid, verdict, epoch, HealthRecord.NO_PASS, 0), NOW);
    }

    private static HealthRecord record(
            int number, String uid, Verdict verdict, long epoch, long passAgeMicros, int passes) {
        return new HealthRecord(
                new Header("health-0", 3, 1, epoch, 0), number, uid, verdict, 10_000_000, passAgeMicros, passes);
    }

    private ReplicaCell cell(int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
