package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.DecisionRing;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.view.ReplicaCell;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoutingPolicyTest {
    private static final long NOW = 1_000_000_000_000L;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(7);
    private final Routing out = new Routing();

    @Test
    void the_least_loaded_gets_it_by_own_and_peers_counts() {
        Fleet fleet = Fleet.fresh(3, NOW);
        cell(fleet, 1).acquire();
        fleet.peer("router-1", 2, 1, NOW);

        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);

        assertThat(out.replica().replica().number()).isEqualTo(3);
        assertThat(out.reason()).isEqualTo(Routing.Reason.STRATEGY);
    }

    @Test
    void ties_are_drawn_evenly() {
        Fleet fleet = Fleet.fresh(8, NOW);
        int[] picks = new int[9];

        for (int i = 0; i < 8_000; i++) {
            out.clear();
            policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
            picks[out.replica().replica().number()]++;
        }

        // 1,000 each; five standard deviations of a binomial are 148.
        for (int number = 1; number <= 8; number++) assertThat(picks[number]).isBetween(850, 1_150);
    }

    @Test
    void what_was_tried_is_not_tried_again_until_nobody_is_left() {
        Fleet fleet = Fleet.fresh(2, NOW);

        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        int first = out.replica().replica().number();
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica().replica().number()).isNotEqualTo(first);
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);

        assertThat(out.replica()).isNull();
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_REPLICA);
    }

    @Test
    void a_quarantined_replica_is_passed_over_and_the_best_of_them_is_used_when_all_are() {
        Fleet fleet = Fleet.fresh(2, NOW);
        shut(fleet, 1);
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica().replica().number()).isEqualTo(2);
        assertThat(out.excluded()).isEqualTo(1);

        shut(fleet, 2);
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica()).isNotNull();
        assertThat(out.reason()).isEqualTo(Routing.Reason.PANIC);
    }

    @Test
    void a_trial_takes_one_request_at_a_time() {
        Fleet fleet = Fleet.fresh(2, NOW);
        shut(fleet, 1);
        cell(fleet, 1).connectResult(true, NOW, random);
        cell(fleet, 2).acquire();

        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica().replica().number()).isEqualTo(1);
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica().replica().number()).isEqualTo(2);

        cell(fleet, 1).succeeded();
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.replica().replica().number()).isEqualTo(1);
    }

    @Test
    void an_unknown_model_is_not_an_outage() {
        Fleet fleet = Fleet.fresh(1, NOW);

        policy.route(fleet.view.current(), "nobody/serves-it", PickRule.DEFAULT, NOW, random, out);

        assertThat(out.reason()).isEqualTo(Routing.Reason.UNKNOWN_MODEL);
    }

    @Test
    void a_bound_request_goes_to_its_replica_however_loaded_or_excluded() {
        Fleet fleet = Fleet.fresh(3, NOW);
        for (int i = 0; i < 50; i++) cell(fleet, 2).acquire();
        shut(fleet, 2);

        for (int attempt = 1; attempt <= 2; attempt++) {
            policy.routeTo(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, 2, NOW, random, out);

            assertThat(out.replica().replica().number()).isEqualTo(2);
            assertThat(out.reason()).isEqualTo(Routing.Reason.BOUND);
            assertThat(out.attempts()).isEqualTo(attempt);
            assertThat(out.shortlist().size()).isEqualTo(1);
        }
    }

    @Test
    void a_bound_request_goes_to_nobody_else() {
        Fleet fleet = Fleet.fresh(2, NOW);

        policy.routeTo(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, 3, NOW, random, out);
        assertThat(out.replica()).isNull();
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_REPLICA);

        policy.routeTo(fleet.view.current(), "nobody/serves-it", PickRule.DEFAULT, 1, NOW, random, out);
        assertThat(out.reason()).isEqualTo(Routing.Reason.UNKNOWN_MODEL);
    }

    @Test
    void a_bound_decision_can_be_made_again() {
        Fleet fleet = Fleet.fresh(3, NOW);
        DecisionRing ring = new DecisionRing();

        policy.routeTo(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, 2, NOW, random, out);
        ring.record(1, fleet.view.current().version(), NOW, out);

        Decision decision = ring.of(1).getFirst();
        assertThat(decision.picked()).isEqualTo(2);
        assertThat(ReDecide.agrees(decision)).isTrue();
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }

    private void shut(Fleet fleet, int number) {
        for (int i = 0; i < 3; i++) cell(fleet, number).failed(1, NOW, random);
    }
}
