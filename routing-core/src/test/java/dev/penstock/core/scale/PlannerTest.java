package dev.penstock.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
    private static final ScalingRule RULE = new ScalingRule(16, 1, null, Duration.ZERO, Duration.ofSeconds(300));

    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(100));
    private final Planner planner = new Planner(AdviceTimes.DEFAULT);

    @Test
    void more_is_asked_for_with_a_band_on_top() {
        plan(RULE, Demands.steady(90, 60), 6);

        Plan plan = plan(RULE, Demands.steady(400, 61), 6);

        // ceil(400 / 16) = 25, and ceil(2 * 20 / 16) = 3 on top
        assertThat(plan.needed()).isEqualTo(25);
        assertThat(plan.headroom()).isEqualTo(3);
        assertThat(plan.desired()).isEqualTo(28);
        assertThat(plan.holdReason()).isEmpty();
    }

    @Test
    void within_the_band_nothing_changes() {
        plan(RULE, Demands.steady(90, 60), 6);
        plan(RULE, Demands.steady(400, 61), 6);

        for (double demand : new double[] {410, 430, 447, 370, 400}) {
            assertThat(plan(RULE, Demands.steady(demand, 70), 28).desired()).isEqualTo(28);
        }
    }

    @Test
    void replicas_on_their_way_are_not_asked_for_twice() {
        plan(RULE, Demands.steady(90, 60), 6);
        assertThat(plan(RULE, Demands.steady(400, 61), 6).desired()).isEqualTo(28);

        assertThat(plan(RULE, Demands.steady(415, 62), 9).desired()).isEqualTo(28);
    }

    @Test
    void a_surge_shows_in_six_seconds_and_does_not_wait_for_the_up_window() {
        ScalingRule slow = new ScalingRule(16, 1, null, Duration.ofSeconds(120), Duration.ofSeconds(300));
        plan(slow, Demands.steady(100, 60), 8);

        Plan plan = plan(slow, Demands.of(110, 200, 61), 8);

        // 200 > 8 * 16, and 200 > 110 + 4 * sqrt(110): ceil(200 / 16) + ceil(2 * sqrt(200) / 16)
        assertThat(plan.panic()).isTrue();
        assertThat(plan.desired()).isEqualTo(13 + 2);
    }

    @Test
    void six_seconds_that_the_size_explains_are_no_surge() {
        plan(RULE, Demands.steady(100, 60), 8);

        Plan plan = plan(RULE, Demands.of(100, 139, 61), 8);

        assertThat(plan.panic()).isFalse();
        assertThat(plan.desired()).isEqualTo(8);
    }

    @Test
    void the_up_window_must_pass() {
        ScalingRule slow = new ScalingRule(16, 1, null, Duration.ofSeconds(10), Duration.ofSeconds(300));
        plan(slow, Demands.steady(30, 60), 2);

        for (int i = 0; i < 10; i++) {
            assertThat(plan(slow, Demands.steady(40, 61), 2).desired()).isEqualTo(2);
        }
        assertThat(plan(slow, Demands.steady(40, 61), 2).desired()).isEqualTo(4);
    }

    @Test
    void fewer_are_asked_for_when_the_window_and_a_minute_have_passed() {
        plan(RULE, Demands.steady(90, 60), 6);
        assertThat(plan(RULE, Demands.steady(400, 61), 28).desired()).isEqualTo(28);

        // 25 were needed within the last 300 s, then fewer must be enough for 60 s
        for (int i = 0; i < 300; i++) {
            assertThat(plan(RULE, Demands.steady(160, 100), 28).desired()).isEqualTo(28);
        }
        for (int i = 0; i < 60; i++) {
            assertThat(plan(RULE, Demands.steady(160, 100), 28).desired()).isEqualTo(28);
        }
        Plan plan = plan(RULE, Demands.steady(160, 100), 28);

        // ceil(160 / 16) + ceil(2 * sqrt(160) / 16)
        assertThat(plan.maxOverDownWindow()).isEqualTo(10);
        assertThat(plan.desired()).isEqualTo(12);
    }

    @Test
    void limits_are_kept() {
        ScalingRule limited = new ScalingRule(16, 3, 5, Duration.ZERO, Duration.ofSeconds(300));
        assertThat(plan(limited, Demands.steady(0, 60), 1).desired()).isEqualTo(3);
        assertThat(plan(limited, Demands.steady(400, 61), 3).desired()).isEqualTo(5);
    }

    @Test
    void no_demand_goes_to_the_minimum_and_to_zero_only_where_that_is_allowed() {
        ScalingRule toZero = new ScalingRule(16, 0, null, Duration.ZERO, Duration.ofSeconds(300));
        Planner zero = new Planner(AdviceTimes.DEFAULT);
        Plan plan = null;
        Plan atZero = null;
        for (int i = 0; i < 400; i++) {
            plan = plan(RULE, Demands.steady(0, 60), 2);
            atZero = zero.plan(toZero, Demands.steady(0, 60), 2, 0, clock.getAsLong());
        }

        assertThat(plan.desired()).isEqualTo(1);
        assertThat(plan.active()).isTrue();
        assertThat(atZero.desired()).isZero();
        assertThat(atZero.active()).isFalse();

        Plan first = zero.plan(toZero, Demands.steady(0.1, 60), 0, 0, clock.getAsLong());
        assertThat(first.needed()).isEqualTo(1);
        assertThat(first.desired()).isEqualTo(2);
        assertThat(first.active()).isTrue();
    }

    @Test
    void missing_demand_holds_the_present_count_and_is_no_zero() {
        plan(RULE, Demands.steady(400, 60), 28);
        for (int i = 0; i < 1_000; i++) {
            Plan plan = plan(RULE, Demands.unknown(4), 20);
            assertThat(plan.desired()).isEqualTo(20);
            assertThat(plan.holdReason()).isEqualTo("no router told its demand for 4 s");
            assertThat(plan.active()).isTrue();
        }

        // the standing number goes on, and the silence counts as what was needed before it
        Plan plan = plan(RULE, Demands.steady(10, 60), 28);
        assertThat(plan.desired()).isEqualTo(28);
        assertThat(plan.maxOverDownWindow()).isEqualTo(25);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void what_is_no_number_holds_the_present_count_and_is_forgotten(double demand) {
        plan(RULE, Demands.steady(400, 60), 28);
        for (int i = 0; i < 1_000; i++) {
            Plan plan = plan(RULE, Demands.steady(demand, 61), 20);
            assertThat(plan.desired()).isEqualTo(20);
            assertThat(plan.holdReason()).isEqualTo("demand is no number");
            assertThat(plan.active()).isTrue();
        }

        assertThat(plan(RULE, Demands.steady(400, 62), 20).desired()).isEqualTo(28);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, 1", "0.4, 2", "2.5, 2", "1e19, 500"})
    void odd_demand_is_neither_truncated_nor_beyond_the_limits(double demand, int desired) {
        ScalingRule limited = new ScalingRule(16, 1, 500, Duration.ZERO, Duration.ofSeconds(300));
        Planner fresh = new Planner(AdviceTimes.DEFAULT);
        Plan plan = fresh.plan(limited, Demands.steady(demand, 60), 2, 0, clock.getAsLong());
        for (int i = 0; i < 400; i++) {
            clock.advance(Duration.ofSeconds(1));
            plan = fresh.plan(limited, Demands.steady(demand, 60), plan.desired(), 0, clock.getAsLong());
        }

        assertThat(plan.desired()).isEqualTo(desired);
        assertThat(plan.needed()).isEqualTo(demand > 1_000 ? 500 : 1);
    }

    @Test
    void silence_at_the_start_does_not_use_up_the_down_window() {
        for (int i = 0; i < 1_000; i++) plan(RULE, Demands.unknown(i), 9);

        for (int i = 0; i < 300; i++) {
            assertThat(plan(RULE, Demands.steady(10, i), 9).desired()).isEqualTo(9);
        }
    }

    @Test
    void a_live_router_that_says_nothing_keeps_the_number_up() {
        plan(RULE, Demands.steady(400, 60), 28);
        for (int i = 0; i < 1_000; i++) {
            clock.advance(Duration.ofSeconds(1));
            assertThat(planner.plan(RULE, Demands.steady(100, 600), 28, 1, clock.getAsLong())
                            .desired())
                    .isEqualTo(28);
        }
    }

    @Test
    void a_new_owner_goes_on_from_what_was_published() {
        planner.adopt(9, 1_000);

        Plan plan = plan(RULE, Demands.steady(10, 7), 12);

        assertThat(plan.desired()).isEqualTo(9);
        assertThat(plan.holdReason()).isEqualTo("warming up: 7 s of demand seen");
        for (int i = 8; i < 300; i++) {
            plan = plan(RULE, Demands.steady(10, i), 9);
            assertThat(plan.desired()).isEqualTo(9);
        }
        assertThat(plan.holdReason()).isEmpty();
    }

    @Test
    void demand_that_is_seen_while_warming_up_raises() {
        planner.adopt(9, 1_000);
        plan(RULE, Demands.steady(300, 5), 9);

        Plan plan = plan(RULE, Demands.steady(300, 6), 9);

        assertThat(plan.desired()).isEqualTo(19 + 3);
        assertThat(plan.holdReason()).isEmpty();
    }

    private Plan plan(ScalingRule rule, PoolDemand demand, int replicas) {
        clock.advance(Duration.ofSeconds(1));
        return planner.plan(rule, demand, replicas, 0, clock.getAsLong());
    }
}
