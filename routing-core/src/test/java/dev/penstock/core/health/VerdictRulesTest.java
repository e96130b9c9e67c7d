package dev.penstock.core.health;

import static dev.penstock.core.health.HealthScene.A;
import static dev.penstock.core.health.HealthScene.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.health.ProbeResult.Kind;
import dev.penstock.model.Header;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** With the least base rate a failure adds ln 20 = 2.996 and a success takes ln(0.99 / 0.8) = 0.213. */
class VerdictRulesTest {
    private final HealthScene scene = new HealthScene(4);

    @Test
    void a_new_replica_is_unknown_until_something_works() {
        scene.fleet.present(ReplicaBuilder.replica(9).build(), scene.clock.getAsLong());
        assertThat(scene.verdict(9)).isEqualTo(Verdict.UNKNOWN);

        scene.sample(9, 1);
        scene.after(50);
        assertThat(scene.verdict(9)).as("the first frame is at best stale").isEqualTo(Verdict.UNKNOWN);

        scene.sample(9, 1);
        scene.after(50);
        assertThat(scene.verdict(9)).isEqualTo(Verdict.HEALTHY);
    }

    @Test
    void a_starting_engine_that_refuses_stays_unknown() {
        scene.fleet.present(ReplicaBuilder.replica(9).build(), scene.clock.getAsLong());
        scene.sample(1, 1);

        for (int i = 0; i < 5; i++) scene.probe(9, Kind.UNREACHABLE);

        assertThat(scene.verdict(9)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void five_failures_at_two_routers_are_a_soft_ejection() {
        scene.failed(A, 1, 3);
        scene.failed(B, 1, 1);
        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isCloseTo(4 * 2.9957, within(0.001));
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);

        scene.failed(B, 1, 1);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
    }

    @Test
    void one_router_alone_ejects_nobody() {
        scene.failed(A, 1, 100);
        scene.failed(B, 1, 1);
        assertThat(scene.verdict(1)).as("2.996 elsewhere of 5.692").isInstanceOf(Verdict.Suspect.class);

        scene.failed(B, 1, 1);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
    }

    @Test
    void with_one_live_router_a_failed_probe_is_the_second_observer() {
        scene.fleet.routers(List.of(A));
        scene.failed(A, 1, 5);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);

        scene.probe(1, Kind.FAILED);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
    }

    @Test
    void successes_take_the_sum_down_to_zero_and_no_further() {
        scene.failed(A, 1, 1);
        scene.ok(A, 1, 10);
        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isCloseTo(2.9957 - 2.1309, within(0.001));

        scene.ok(A, 1, 1000);

        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isZero();
    }

    @Test
    void a_stall_weighs_seven_tenths() {
        scene.ended(A, 1, Outcome.STALLED, 1);

        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isCloseTo(0.7 * 2.9957, within(0.001));
    }

    @Test
    void clients_mistakes_and_full_queues_say_nothing() {
        for (Outcome outcome : List.of(
                Outcome.CLIENT_ERROR, Outcome.CLIENT_ABORT, Outcome.BACKPRESSURE, Outcome.DEADLINE, Outcome.UNKNOWN)) {
            scene.ended(A, 1, outcome, 500);
            scene.ended(B, 1, outcome, 500);
        }
        scene.connectFailed(A, 1);

        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isZero();
        assertThat(scene.verdict(1)).isEqualTo(Verdict.HEALTHY);
    }

    @Test
    void a_record_read_twice_counts_once() {
        scene.failed(A, 1, 1);
        double once = scene.health(1).pooledSum(scene.clock.getAsLong());

        scene.fleet.outcomes(
                new Outcomes(new Header(A, 1, 1, -1, scene.clock.getAsLong()), List.of()), scene.clock.getAsLong());

        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isEqualTo(once);
    }

    @Test
    void sums_without_news_are_forgotten_after_a_minute() {
        scene.failed(A, 1, 4);
        scene.after(60_050);

        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isZero();
    }

    @Test
    void two_failed_probes_and_a_quarantine_are_hard() {
        scene.after(2_050);
        scene.quarantined(A, 1);
        scene.probe(1, Kind.FAILED);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);

        scene.probe(1, Kind.FAILED);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
    }

    @Test
    void failed_probes_without_a_router_are_suspicion_only() {
        scene.after(2_050);
        scene.sample(1, 1);
        scene.sample(1, 1);

        scene.probesFail(1, 20);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);
    }

    @Test
    void recent_success_or_flow_vetoes_hard() {
        scene.after(2_050);
        scene.flowing(B, 1);
        scene.quarantined(A, 1);
        scene.probesFail(1, 5);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);

        scene.after(2_000);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);
        scene.after(50);
        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
    }

    @Test
    void busy_is_no_pass_and_ends_a_row_of_failures() {
        scene.after(2_050);
        scene.quarantined(A, 1);
        for (int i = 0; i < 50; i++) {
            scene.probe(1, Kind.FAILED);
            scene.probe(1, Kind.BUSY);
        }
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);
        assertThat(scene.health(1).passesInRow()).isZero();

        scene.probesFail(1, 2);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
    }

    @Test
    void an_idle_replica_is_gone_when_nobody_answers_probe_and_scrape() {
        scene.after(2_050);
        scene.sample(2, 1);
        scene.probe(1, Kind.UNREACHABLE);
        scene.probe(1, Kind.UNREACHABLE);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
    }

    @Test
    void without_any_telemetry_nobody_is_gone() {
        scene.after(2_050);
        scene.probe(1, Kind.UNREACHABLE);
        scene.probe(1, Kind.UNREACHABLE);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);
    }

    @Test
    void a_routers_failed_connect_is_the_second_observer_of_an_idle_replica() {
        scene.after(2_050);
        scene.connectFailed(A, 1);
        scene.probe(1, Kind.UNREACHABLE);
        scene.probe(1, Kind.UNREACHABLE);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
    }

    @Test
    void suspicion_ends_when_a_probe_passes_and_nothing_is_wrong() {
        scene.failed(A, 1, 2);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Suspect.class);
        scene.ok(A, 1, 1);

        assertThat(scene.verdict(1)).isEqualTo(Verdict.HEALTHY);
    }

    @Test
    void soft_ejections_leave_half_a_pool_and_hard_ones_do_not_ask() {
        for (int number = 1; number <= 4; number++) {
            scene.failed(A, number, 5);
            scene.failed(B, number, 5);
        }
        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
        assertThat(scene.severity(2)).isEqualTo(Verdict.Severity.SOFT);
        assertThat(scene.verdict(3)).isInstanceOf(Verdict.Suspect.class);
        assertThat(scene.verdict(4)).isInstanceOf(Verdict.Suspect.class);

        scene.after(2_050);
        for (int number = 1; number <= 4; number++) {
            scene.quarantined(A, number);
            scene.probesFail(number, 2);
        }

        for (int number = 1; number <= 4; number++) {
            assertThat(scene.severity(number)).isEqualTo(Verdict.Severity.HARD);
        }
    }

    @Test
    void a_pool_of_one_is_never_softly_ejected() {
        HealthScene alone = new HealthScene(1, new HealthRules(0, 1, 1), new Random(1));
        alone.failed(A, 1, 50);
        alone.failed(B, 1, 50);

        assertThat(alone.verdict(1)).isInstanceOf(Verdict.Suspect.class);
    }

    @Test
    void another_incarnation_starts_unknown() {
        scene.failed(A, 1, 5);
        scene.failed(B, 1, 5);
        assertThat(scene.verdict(1).routable()).isFalse();

        scene.fleet.present(ReplicaBuilder.replica(1).uid("uid-2").build(), scene.clock.getAsLong());

        assertThat(scene.verdict(1)).isEqualTo(Verdict.UNKNOWN);
        assertThat(scene.health(1).pooledSum(scene.clock.getAsLong())).isZero();
    }

    @Test
    void the_median_base_rate_of_a_failing_pool_lowers_each_step() {
        HealthScene sick = new HealthScene(5);
        for (int round = 0; round < 40; round++) {
            for (int number = 1; number <= 5; number++) {
                sick.told(A, number, Map.of(Outcome.OK, 9, Outcome.REPLICA_ERROR, 1), 0, false, false);
                sick.told(B, number, Map.of(Outcome.OK, 9, Outcome.REPLICA_ERROR, 1), 0, false, false);
            }
            sick.after(250);
        }

        for (int number = 1; number <= 5; number++)
            assertThat(sick.verdict(number).routable()).isTrue();
    }

    @Test
    void an_overloaded_fleet_is_not_a_sick_one() {
        for (int step = 0; step < 240; step++) {
            for (int number = 1; number <= 4; number++) {
                scene.told(A, number, Map.of(Outcome.BACKPRESSURE, 20, Outcome.DEADLINE, 5), 0, true, false);
                scene.told(B, number, Map.of(Outcome.CLIENT_ABORT, 20), 0, true, false);
                scene.probe(number, Kind.BUSY);
            }
            scene.after(250);
        }

        for (int number = 1; number <= 4; number++)
            assertThat(scene.verdict(number).routable()).isTrue();
    }
}
