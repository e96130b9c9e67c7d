package dev.penstock.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PlannerProperties {
    private static final long SECOND = 1_000_000_000L;
    private static final ScalingRule RULE = new ScalingRule(16, 1, 1_000, Duration.ZERO, Duration.ofSeconds(300));

    @Property(tries = 200, seed = "1")
    void within_the_band_nothing_moves(
            @ForAll @IntRange(min = 1, max = 5_000) int demand,
            @ForAll @Size(min = 1, max = 600) List<@IntRange(min = -100, max = 100) Integer> noise) {
        Planner planner = new Planner(AdviceTimes.DEFAULT);
        int most = RULE.carrying(demand);
        int standing = most + RULE.headroom(demand);
        planner.adopt(standing, standing);
        long now = 0;
        for (int percent : noise) {
            // up to the headroom more, and down to where the highest of the window would still not be one fewer
            double swing = percent > 0 ? RULE.headroom(demand) * 16 * percent / 100.0 : 0;
            double mean = Math.min(demand + swing, standing * 16.0);
            now += SECOND;
            Plan plan = planner.plan(RULE, Demands.of(mean, mean, 600), standing, 0, now);
            assertThat(plan.desired()).isEqualTo(standing);
        }
    }

    @Property(tries = 200, seed = "1")
    void nothing_is_lowered_in_less_than_the_window_and_a_minute(
            @ForAll @IntRange(min = 100, max = 5_000) int demand,
            @ForAll @Size(min = 1, max = 350) List<@IntRange(min = 0, max = 1_000) Integer> share) {
        Planner planner = new Planner(AdviceTimes.DEFAULT);
        long now = 0;
        int before = planner.plan(RULE, Demands.steady(demand, 600), RULE.carrying(demand), 0, now)
                .desired();
        for (int thousandths : share) {
            now += SECOND;
            double mean = demand * thousandths / 1_000.0;
            int desired = planner.plan(RULE, Demands.steady(mean, 600), before, 0, now)
                    .desired();
            assertThat(desired).isGreaterThanOrEqualTo(before);
            before = desired;
        }
    }

    @Property(tries = 200, seed = "1")
    void the_limits_hold_whatever_comes(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 100_000) Integer> means,
            @ForAll @IntRange(min = 0, max = 50) int min,
            @ForAll @IntRange(min = 0, max = 50) int more) {
        ScalingRule rule = new ScalingRule(8, min, Math.max(1, min + more), Duration.ZERO, Duration.ZERO);
        Planner planner = new Planner(AdviceTimes.DEFAULT);
        long now = 0;
        for (int mean : means) {
            now += SECOND;
            Plan plan = planner.plan(rule, Demands.of(mean, means.getFirst(), 600), 7, 0, now);
            assertThat(plan.desired()).isBetween(min, Math.max(1, min + more));
            assertThat(plan.needed()).isBetween(min, Math.max(1, min + more));
        }
    }
}
