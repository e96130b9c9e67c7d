package dev.penstock.core.ramp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.pick.PickOrder;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.view.Bias;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of new replicas in a view: established ones are 1 to 10, new ones are those from 11 on. */
class NewReplicaTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final int NEW = 11;
    private static final ReplicaCell.Exclusion NONE = ReplicaCell.Exclusion.NONE;
    private static final ReplicaCell.Exclusion RAMP = ReplicaCell.Exclusion.RAMP;

    private final Fleet fleet = new Fleet();
    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(7);
    private final Routing out = new Routing();
    private int replicas;

    @Test
    void a_new_replica_counts_as_if_it_had_the_rest_of_an_established_ones_requests() {
        join(10, HOUR_MILLIS);
        join(1, 0);
        load(10, 8);
        refresh(NOW);

        // A tenth of 8 is its own by now.
        assertThat(Bias.SLOW_START.in(cell(NEW).biasCauses())).isTrue();
        assertThat(cell(NEW).biasMilli()).isEqualTo(7_200);
        for (int number = 1; number <= 10; number++)
            assertThat(cell(number).biasMilli()).isZero();

        refresh(NOW + 15 * SECOND);
        assertThat(cell(NEW).biasMilli()).isEqualTo(4_000);
        refresh(NOW + 30 * SECOND);
        assertThat(cell(NEW).biasMilli()).isZero();
        assertThat(Bias.SLOW_START.in(cell(NEW).biasCauses())).isFalse();
        assertThat(cell(NEW).starting()).isFalse();
    }

    @Test
    void a_new_replica_is_given_no_burst() {
        join(10, HOUR_MILLIS);
        join(1, 0);
        load(10, 8);
        refresh(NOW);

        for (int i = 0; i < 40; i++) route().acquire();

        // 0.1 x 1.5 x 8, and two at least: without any rule it would have had eight before anybody else.
        assertThat(cell(NEW).own()).isLessThanOrEqualTo(2);
    }

    @Test
    void a_new_replica_is_given_no_burst_before_the_next_refresh_either() {
        join(10, HOUR_MILLIS);
        load(10, 8);
        refresh(NOW);
        // Its roster record and its first sample come between two refreshes.
        join(1, 0);
        assertThat(cell(NEW).candidate()).isTrue();

        for (int i = 0; i < 40; i++) route().acquire();

        assertThat(cell(NEW).own()).isLessThanOrEqualTo(2);
    }

    @Test
    void a_replica_back_from_an_ejection_is_given_no_burst_before_the_next_refresh_either() {
        join(10, HOUR_MILLIS);
        load(9, 8);
        eject(10);
        refresh(NOW);
        judge(10, new Verdict.Ramp(0, 15_000_000));

        for (int i = 0; i < 40; i++) route().acquire();

        // A tenth of 8, and the four that the others have more by now.
        assertThat(cell(10).own()).isLessThanOrEqualTo(5);
    }

    @Test
    void beyond_its_cap_a_new_replica_is_passed_over_while_others_are_routable() {
        join(10, HOUR_MILLIS);
        join(1, 0);
        load(10, 8);
        refresh(NOW);
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(NONE);

        cell(NEW).acquire();
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(NONE);
        cell(NEW).acquire();
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(RAMP);
        // However much more the others have.
        load(10, 50);
        assertThat(route()).isNotSameAs(cell(NEW));

        for (int number = 1; number <= 10; number++) eject(number);
        assertThat(route()).isSameAs(cell(NEW));
        assertThat(out.shortlist().standing(0)).isEqualTo(Standing.RAMPING);
        assertThat(out.reason()).as("nothing is wrong with it").isEqualTo(Routing.Reason.STRATEGY);

        cell(NEW).release();
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(NONE);
    }

    @Test
    void when_only_those_at_their_cap_are_left_the_least_loaded_of_them_is_taken() {
        join(10, HOUR_MILLIS);
        join(3, 0);
        load(10, 8);
        refresh(NOW);
        for (int number = NEW; number < NEW + 3; number++) {
            for (int i = 0; i < 3 + number - NEW; i++) cell(number).acquire();
        }
        for (int number = 1; number <= 10; number++) eject(number);

        assertThat(route()).isSameAs(cell(NEW));
        assertThat(out.candidates()).isEqualTo(3);

        // With nobody established there is nobody to hold them back for.
        refresh(NOW);
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(NONE);
        assertThat(cell(NEW).biasMilli()).isZero();
        assertThat(route()).isSameAs(cell(NEW));
    }

    @Test
    void the_cap_is_shared_with_the_routers_that_are_heard_of() {
        join(10, HOUR_MILLIS);
        join(1, 15_000);
        load(10, 8);
        for (int router = 1; router <= 3; router++) peer("router-" + router);
        refresh(NOW);

        // 0.5 x 1.5 x 8 = 6, by four routers
        cell(NEW).acquire();
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(NONE);
        cell(NEW).acquire();
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(RAMP);
    }

    @Test
    void the_cap_follows_what_all_routers_have_at_an_established_replica() {
        join(10, HOUR_MILLIS);
        join(1, 15_000);
        load(10, 8);
        int[] numbers = IntStream.rangeClosed(1, 10).toArray();
        int[] counts = new int[10];
        Arrays.fill(counts, 11);
        Header header = new Header("router-1", 77, 1, Header.NO_EPOCH, NOW);
        fleet.view.apply(new InflightVector(header, 1, true, numbers, counts, List.of()), NOW);
        refresh(NOW);

        // 8 of its own and a fair share of 110 / 11: 0.5 x 1.5 x 18 = 13.5, by two routers
        for (int i = 0; i < 6; i++) cell(NEW).acquire();
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(NONE);
        cell(NEW).acquire();
        assertThat(cell(NEW).exclusion(NOW)).isEqualTo(RAMP);
    }

    @Test
    void a_fleet_that_is_all_new_has_no_bias_and_no_cap() {
        join(12, 0);
        load(12, 8);
        refresh(NOW);

        for (int number = 1; number <= 12; number++) {
            assertThat(cell(number).starting()).isTrue();
            assertThat(cell(number).biasMilli()).isZero();
            assertThat(cell(number).exclusion(NOW)).isEqualTo(NONE);
        }
    }

    @Test
    void when_more_than_half_the_pool_is_new_the_bias_is_scaled_by_the_established_part() {
        join(10, HOUR_MILLIS);
        join(10, 0);
        load(10, 8);
        refresh(NOW);
        assertThat(cell(NEW).biasMilli()).as("half").isEqualTo(7_200);

        join(5, 0);
        refresh(NOW);
        assertThat(cell(NEW).biasMilli()).as("15 of 25").isEqualTo(7_200 * 10 / 25);
    }

    @Test
    void when_nearly_all_of_the_pool_is_new_the_few_others_are_not_left_with_the_rest() {
        join(1, HOUR_MILLIS);
        join(20, 0);
        load(1, 8);
        refresh(NOW);

        for (int i = 0; i < 200; i++) route().acquire();

        // 208 over 21 are ten each; by a cap for one new replica among many it would have had nearly all of them.
        assertThat(cell(1).own()).isLessThanOrEqualTo(12);
    }

    @Test
    void a_fleet_that_is_all_new_is_dense_where_it_has_much_to_do() {
        join(12, 0);
        load(12, 8);
        refresh(NOW);

        route();

        assertThat(PickOrder.k(out.shortlist().order())).isEqualTo(1);
    }

    @Test
    void in_a_pool_that_goes_over_to_another_model_that_ones_window_counts() {
        fleet.view.slowStart(Fleet.MODEL, 0);
        join(10, HOUR_MILLIS);
        RosterRecord next = replica(++replicas, 0).serving("sim/next").present();
        fleet.view.apply(inPoolOf(Fleet.MODEL, next), NOW);
        load(10, 8);
        refresh(NOW);

        assertThat(cell(NEW).starting()).isTrue();
        assertThat(cell(NEW).biasMilli()).isEqualTo(7_200);
    }

    private static RosterRecord inPoolOf(String model, RosterRecord record) {
        Replica r = record.replica();
        Replica moved = new Replica(
                r.name(),
                r.number(),
                r.uid(),
                r.endpoint(),
                null,
                r.models(),
                r.engine(),
                null,
                PoolId.localFor(model),
                null,
                null,
                0,
                r.labels());
        return new RosterRecord(record.header(), moved, false, record.highestNumber(), record.readyAgeMillis());
    }

    @Test
    void a_restarted_router_starts_nobody_that_has_been_ready_for_the_window() {
        join(10, HOUR_MILLIS);
        join(1, 30_000);
        join(1, 29_999);

        assertThat(cell(NEW).starting()).isFalse();
        assertThat(cell(NEW + 1).starting()).isTrue();
    }

    @Test
    void a_restarted_router_reads_an_old_record_first_and_starts_nobody_once_it_knows_better() {
        join(10, HOUR_MILLIS);
        join(1, 0);
        load(10, 8);
        refresh(NOW);
        assertThat(cell(NEW).biasMilli()).isPositive();

        fleet.view.apply(present(NEW, HOUR_MILLIS), NOW);
        refresh(NOW);

        assertThat(cell(NEW).biasMilli()).isZero();
        assertThat(cell(NEW).starting()).isFalse();
    }

    @Test
    void a_record_that_says_it_is_younger_is_not_believed() {
        join(10, HOUR_MILLIS);
        join(1, 15_000);
        load(10, 8);

        fleet.view.apply(present(NEW, 3_000), NOW);
        refresh(NOW);

        assertThat(cell(NEW).biasMilli()).isEqualTo(4_000);
    }

    @Test
    void an_established_replica_stays_so_whatever_a_late_record_says() {
        join(10, HOUR_MILLIS);

        fleet.view.apply(present(3, 0), NOW);

        assertThat(cell(3).starting()).isFalse();
    }

    @Test
    void nobody_is_new_whose_age_is_unknown_or_whom_a_roster_copy_tells_of() {
        join(1, RosterRecord.AGE_UNKNOWN);
        fleet.view.apply(present(2, 0));

        assertThat(cell(1).starting()).isFalse();
        assertThat(cell(2).starting()).isFalse();
    }

    @Test
    void another_incarnation_is_new_again() {
        join(10, HOUR_MILLIS);

        fleet.view.apply(replica(3, 0).uid("u2").present(), NOW);

        assertThat(cell(3).starting()).isTrue();
    }

    @Test
    void a_models_own_window_decides_who_is_new() {
        fleet.view.slowStart(Fleet.MODEL, 0);
        join(1, 0);
        assertThat(cell(1).starting()).isFalse();

        fleet.view.slowStart(Fleet.MODEL, 300 * SECOND);
        join(1, 200_000);
        assertThat(cell(2).starting()).isTrue();
    }

    @Test
    void twenty_answers_as_fast_as_the_others_make_it_one_of_them() {
        join(10, HOUR_MILLIS);
        join(1, 0);
        load(10, 8);
        for (int number = 1; number <= 10; number++) cell(number).firstByte(200 * Fleet.MS);
        for (int i = 0; i < 19; i++) cell(NEW).firstByte(250 * Fleet.MS);
        refresh(NOW);
        assertThat(cell(NEW).starting()).isTrue();

        cell(NEW).firstByte(250 * Fleet.MS);
        refresh(NOW);

        assertThat(cell(NEW).starting()).isFalse();
        assertThat(cell(NEW).biasMilli()).isZero();
    }

    @Test
    void a_failure_holds_it_where_it_is() {
        join(10, HOUR_MILLIS);
        join(1, 0);
        load(10, 8);
        refresh(NOW);
        refresh(NOW + 6 * SECOND);
        assertThat(cell(NEW).biasMilli()).isEqualTo(6_400);

        cell(NEW).failed(1, NOW + 6 * SECOND, random);

        refresh(NOW + 11 * SECOND);
        assertThat(cell(NEW).biasMilli()).isEqualTo(6_400);
        refresh(NOW + 14 * SECOND);
        assertThat(cell(NEW).biasMilli()).isEqualTo(5_600);
    }

    /** So many more, ready for so long, and seen FRESH. */
    private void join(int many, long readyMillis) {
        for (int i = 0; i < many; i++) fleet.view.apply(present(++replicas, readyMillis), NOW);
        fleet.sampleAll(replicas, NOW - 100 * Fleet.MS);
        fleet.sampleAll(replicas, NOW);
    }

    private static RosterRecord present(int number, long readyMillis) {
        return replica(number, readyMillis).present();
    }

    private static ReplicaBuilder replica(int number, long readyMillis) {
        return ReplicaBuilder.replica(number).uid("u").serving(Fleet.MODEL).readyForMillis(readyMillis);
    }

    /** So many requests at each of the first. */
    private void load(int first, int requests) {
        for (int number = 1; number <= first; number++) {
            for (int i = 0; i < requests; i++) cell(number).acquire();
        }
    }

    private void refresh(long nowNanos) {
        fleet.sampleAll(replicas, nowNanos);
        // A mean is known after a sweep and used in the next; it rises by 4 requests a sweep at most.
        for (int i = 0; i < 4; i++) fleet.view.refresh(nowNanos);
    }

    /** A peer that has nothing in flight. */
    private void peer(String router) {
        Header header = new Header(router, 77, 1, Header.NO_EPOCH, NOW);
        fleet.view.apply(new InflightVector(header, 1, true, new int[0], new int[0], List.of()), NOW);
    }

    private void eject(int number) {
        judge(number, new Verdict.Ejected(Verdict.Severity.HARD, "refused", 1, 5_000_000));
    }

    private void judge(int number, Verdict verdict) {
        Header header = new Header("health-0", 3, 1, 1, NOW);
        fleet.view.apply(new HealthRecord(header, number, "u", verdict, 10_000_000, HealthRecord.NO_PASS, 0), NOW);
    }

    private ReplicaCell route() {
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        return out.replica().cell();
    }

    private ReplicaCell cell(int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
