package dev.penstock.core.health;

import static dev.penstock.core.health.HealthScene.A;
import static dev.penstock.core.health.HealthScene.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.health.ProbeResult.Kind;
import dev.penstock.model.Outcome;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WayBackTest {
    private final HealthScene scene = new HealthScene(4);

    private void ejectHard() {
        scene.after(2_050);
        scene.quarantined(A, 1);
        scene.probesFail(1, 2);
        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
    }

    private void ejectSoft() {
        scene.failed(A, 1, 3);
        scene.failed(B, 1, 3);
        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
    }

    private Verdict.HalfOpen halfOpen() {
        ejectHard();
        scene.pass(1, 2);
        scene.after(1_000);
        return (Verdict.HalfOpen) scene.verdict(1);
    }

    @Test
    void hard_takes_the_stay_and_two_passes() {
        ejectHard();
        scene.pass(1, 1);
        assertThat(scene.severity(1)).as("a pass says that something works").isEqualTo(Verdict.Severity.SOFT);
        scene.pass(1, 1);
        scene.after(950);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Ejected.class);

        scene.after(50);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.HalfOpen.class);
    }

    @Test
    void soft_takes_twenty_passes() {
        ejectSoft();
        scene.after(1_000);
        scene.pass(1, 19);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Ejected.class);

        scene.pass(1, 1);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.HalfOpen.class);
    }

    @Test
    void soft_turns_hard_when_two_probes_fail() {
        ejectSoft();
        scene.probesFail(1, 1);
        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
        scene.probesFail(1, 1);
        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
        scene.after(1_000);
        scene.pass(1, 2);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.HalfOpen.class);
    }

    @Test
    void one_that_works_by_turns_takes_the_long_row() {
        ejectHard();
        scene.pass(1, 1);
        scene.probesFail(1, 2);
        scene.after(1_000);
        scene.pass(1, 19);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Ejected.class);

        scene.pass(1, 1);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.HalfOpen.class);
    }

    @Test
    void three_successes_of_the_permitted_router_end_half_open() {
        String holder = halfOpen().permittedRouter();
        String other = holder.equals(A) ? B : A;
        scene.ok(other, 1, 5);
        assertThat(((Verdict.HalfOpen) scene.verdict(1)).successes()).isZero();
        scene.ok(holder, 1, 1);
        scene.ok(holder, 1, 1);
        assertThat(((Verdict.HalfOpen) scene.verdict(1)).successes()).isEqualTo(2);

        scene.ok(holder, 1, 1);

        assertThat(scene.verdict(1)).isEqualTo(new Verdict.Ramp(0, 15_000_000));
    }

    @Test
    void two_seconds_of_flow_are_a_success() {
        String holder = halfOpen().permittedRouter();
        for (int i = 0; i < 8; i++) {
            scene.flowing(holder, 1);
            scene.after(250);
        }
        assertThat(((Verdict.HalfOpen) scene.verdict(1)).successes()).isZero();

        scene.flowing(holder, 1);

        assertThat(((Verdict.HalfOpen) scene.verdict(1)).successes()).isEqualTo(1);
    }

    @Test
    void a_failure_in_half_open_ejects_with_the_next_term() {
        String holder = halfOpen().permittedRouter();

        scene.ended(holder, 1, Outcome.INCOMPLETE_STREAM, 1);

        Verdict.Ejected again = (Verdict.Ejected) scene.verdict(1);
        assertThat(again.ejections()).isEqualTo(2);
        assertThat(again.remainingMicros()).isEqualTo(4_000_000);
    }

    @Test
    void clients_mistakes_in_half_open_say_nothing() {
        String holder = halfOpen().permittedRouter();

        scene.ended(holder, 1, Outcome.CLIENT_ERROR, 10);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.HalfOpen.class);
    }

    @Test
    void the_permit_goes_on_when_its_holder_has_nothing_to_send() {
        String holder = halfOpen().permittedRouter();

        scene.after(2_000);

        Verdict.HalfOpen next = (Verdict.HalfOpen) scene.verdict(1);
        assertThat(next.permittedRouter()).isNotEqualTo(holder).isIn(A, B);
    }

    @Test
    void an_idle_fleet_recovers_by_probes() {
        halfOpen();
        scene.after(4_900);
        scene.pass(1, 5);
        assertThat(((Verdict.HalfOpen) scene.verdict(1)).successes()).isZero();

        scene.after(100);
        scene.pass(1, 3);

        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Ramp.class);
    }

    @Test
    void a_ramp_ends_healthy_after_fifteen_seconds() {
        String holder = halfOpen().permittedRouter();
        scene.ok(holder, 1, 3);
        scene.after(14_950);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Ramp.class);

        scene.after(50);

        assertThat(scene.verdict(1)).isEqualTo(Verdict.HEALTHY);
    }

    @Test
    void two_failures_end_a_ramp_and_one_does_not() {
        String holder = halfOpen().permittedRouter();
        scene.ok(holder, 1, 3);
        scene.failed(A, 1, 1);
        assertThat(scene.verdict(1)).isInstanceOf(Verdict.Ramp.class);

        scene.failed(A, 1, 1);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
        assertThat(((Verdict.Ejected) scene.verdict(1)).ejections()).isEqualTo(2);
    }

    @Test
    void ejections_halve_per_healthy_minute() {
        String holder = halfOpen().permittedRouter();
        scene.failed(holder, 1, 1);
        assertThat(scene.health(1).ejections()).isEqualTo(2);
        scene.pass(1, 20);
        scene.after(4_000);
        String next = ((Verdict.HalfOpen) scene.verdict(1)).permittedRouter();
        scene.ok(next, 1, 3);
        scene.after(15_000);
        assertThat(scene.verdict(1)).isEqualTo(Verdict.HEALTHY);
        scene.after(59_950);
        assertThat(scene.health(1).ejections()).isEqualTo(2);
        scene.after(50);
        assertThat(scene.health(1).ejections()).isEqualTo(1);

        scene.after(60_000);

        assertThat(scene.health(1).ejections()).isZero();
    }

    @Test
    void terms_double_up_to_the_longest_and_stays_up_to_a_minute() {
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            for (int k = 1; k <= 12; k++) {
                double nominal = Math.min(300, 5 * Math.pow(2, k - 1));
                assertThat(HealthRules.DEFAULT.termNanos(k, random) / 1e9).isBetween(0.75 * nominal, 1.25 * nominal);
            }
            assertThat(HealthRules.DEFAULT.stayNanos(1, random)).isEqualTo(1_000_000_000L);
            assertThat(HealthRules.DEFAULT.stayNanos(2, random)).isEqualTo(4_000_000_000L);
            assertThat(HealthRules.DEFAULT.stayNanos(9, random)).isEqualTo(60_000_000_000L);
        }
    }

    @Test
    void terms_do_not_grow_while_most_of_the_pool_is_out() {
        for (int number = 2; number <= 4; number++) {
            scene.after(2_050);
            scene.quarantined(A, number);
            scene.probesFail(number, 2);
        }
        String holder = halfOpen().permittedRouter();

        scene.failed(holder, 1, 1);

        assertThat(scene.health(1).ejections()).isEqualTo(1);
    }

    @Test
    void a_new_owner_goes_on_with_the_remaining_term() {
        ejectHard();
        scene.after(400);
        HealthScene next = new HealthScene(0);
        next.fleet.follow();
        next.fleet.told(1, scene.record(1), next.clock.getAsLong());
        next.fleet.present(ReplicaBuilder.replica(1).build(), next.clock.getAsLong());

        next.fleet.lead();

        assertThat(next.verdict(1)).isEqualTo(scene.verdict(1));
        next.pass(1, 2);
        next.after(550);
        assertThat(next.verdict(1)).isInstanceOf(Verdict.Ejected.class);
        next.after(100);
        assertThat(next.verdict(1)).isInstanceOf(Verdict.HalfOpen.class);
    }

    @Test
    void a_verdict_on_another_incarnation_is_not_taken_over() {
        ejectHard();
        HealthScene next = new HealthScene(0);
        next.fleet.follow();
        next.fleet.told(1, scene.record(1), next.clock.getAsLong());

        next.fleet.present(ReplicaBuilder.replica(1).uid("uid-2").build(), next.clock.getAsLong());

        assertThat(next.verdict(1)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void a_follower_keeps_evidence_and_concludes_nothing() {
        scene.fleet.follow();
        scene.failed(A, 1, 5);
        scene.failed(B, 1, 5);
        scene.after(1_000);
        assertThat(scene.verdict(1)).isEqualTo(Verdict.HEALTHY);

        scene.fleet.lead();
        scene.after(50);

        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.SOFT);
    }

    @Test
    void numbers_of_no_roster_are_orphans_until_taken_back() {
        scene.fleet.told(77, scene.record(1), scene.clock.getAsLong());
        assertThat(scene.fleet.orphans()).isEqualTo(List.of(77));

        scene.fleet.told(77, null, scene.clock.getAsLong());

        assertThat(scene.fleet.orphans()).isEmpty();
    }

    @Test
    void probes_are_calm_hurried_and_backed_off() {
        scene.pass(1, 1);
        scene.after(8_950);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isFalse();
        scene.after(2_100);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isTrue();

        scene.quarantined(A, 1);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isTrue();
        scene.probe(1, Kind.FAILED);
        scene.after(440);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isFalse();
        scene.after(120);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isTrue();

        scene.probesFail(1, 40);
        scene.after(4_400);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isFalse();
        scene.after(1_200);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isTrue();
    }

    @Test
    void what_completes_by_itself_is_not_probed() {
        scene.pass(1, 1);
        for (int i = 0; i < 30; i++) {
            scene.after(1_000);
            scene.ok(B, 1, 1);
            assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isFalse();
        }
    }

    @Test
    void the_median_of_first_tokens_is_of_the_last_windows() {
        scene.ttft(A, 1, 800, 10);
        scene.after(1_000);
        assertThat(scene.fleet.medianTtftNanos(scene.health(2))).isBetween(800_000_000L, 900_000_000L);

        scene.after(22_000);

        assertThat(scene.fleet.medianTtftNanos(scene.health(2))).isZero();
    }

    @Test
    void a_moving_heartbeat_is_movement() {
        long start = scene.clock.getAsLong();
        scene.after(100);
        scene.sample(2, 5);
        assertThat(scene.health(2).movedSince(start + 1)).isFalse();
        scene.sample(2, 5);
        assertThat(scene.health(2).movedSince(start + 1)).isFalse();

        scene.sample(2, 6);

        assertThat(scene.health(2).movedSince(start + 1)).isTrue();
    }

    @Test
    void a_hanging_probe_does_not_hold_up_the_next_but_a_third_waits() {
        scene.quarantined(A, 1);
        scene.health(1).probeStarted(scene.clock.getAsLong());
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isFalse();
        scene.after(600);
        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isTrue();

        scene.health(1).probeStarted(scene.clock.getAsLong());
        scene.after(1_000);

        assertThat(scene.health(1).probeDue(scene.clock.getAsLong())).isFalse();
    }

    @Test
    void a_follower_that_saw_hard_still_needs_two_passes_when_it_leads() {
        HealthScene next = new HealthScene(1);
        next.fleet.follow();
        ejectHard();
        next.fleet.told(1, scene.record(1), next.clock.getAsLong());
        scene.pass(1, 1);
        next.fleet.told(1, scene.record(1), next.clock.getAsLong());
        assertThat(next.severity(1)).isEqualTo(Verdict.Severity.SOFT);
        next.fleet.lead();
        next.pass(1, 1);

        next.after(1_000);

        assertThat(next.verdict(1)).isInstanceOf(Verdict.HalfOpen.class);
    }
}
