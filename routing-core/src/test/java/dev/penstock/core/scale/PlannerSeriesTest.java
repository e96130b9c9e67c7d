package dev.penstock.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Demand over time, through the book and the planner, with replicas that come 30 s after they were asked for. */
class PlannerSeriesTest {
    private static final ScalingRule RULE = ScalingRule.DEFAULT;
    private static final int START_SECONDS = 30;

    private final ManualClock clock = new ManualClock();
    private final DemandBook book = new DemandBook(AdviceTimes.DEFAULT, clock.getAsLong());
    private final Planner planner = new Planner(AdviceTimes.DEFAULT);
    private final Demands first = new Demands("router-0");
    private final Demands second = new Demands("router-1");
    private final Deque<Integer> starting = new ArrayDeque<>();
    private int replicas;

    @ParameterizedTest
    @ValueSource(ints = {20, 50, 100, 1_000, 10_000})
    void a_step_is_followed_within_ten_seconds(int load) {
        replicas = RULE.clamp(RULE.carrying(load) + RULE.headroom(load));
        for (int i = 0; i < 400; i++) second(load);

        Plan plan = null;
        for (int i = 1; i <= 10; i++) plan = second(load + load * Math.min(i, 5) / 5.0);

        int oracle = RULE.carrying(2.0 * load);
        assertThat(plan.desired()).isGreaterThanOrEqualTo((int) Math.ceil(0.95 * oracle));
        assertThat(plan.desired()).isLessThanOrEqualTo((int) Math.ceil(1.25 * oracle) + 1);
    }

    @ParameterizedTest
    @CsvSource({"20,2", "192,2", "200,2", "200,20", "2000,5"})
    void a_steady_load_of_a_day_moves_nothing_back_and_forth(int load, double serviceSeconds) {
        RandomGenerator random = new SplittableRandom(load);
        replicas = RULE.clamp(RULE.carrying(load) + RULE.headroom(load));
        double stays = Math.exp(-1 / serviceSeconds);
        double inService = load;
        int flaps = 0;
        int direction = 0;
        int before = replicas;
        for (int i = 0; i < 86_400; i++) {
            double noise = Math.sqrt(load * (1 - stays * stays)) * random.nextGaussian();
            inService = load + stays * (inService - load) + noise;
            int desired = second(Math.max(0, inService)).desired();
            int step = Integer.signum(desired - before);
            if (step != 0 && direction != 0 && step != direction) flaps++;
            if (step != 0) direction = step;
            before = desired;
        }

        assertThat(flaps).isZero();
    }

    @Test
    void a_gap_holds_and_the_number_goes_on_after_it() {
        replicas = 15;
        for (int i = 0; i < 400; i++) second(200);
        int desired = second(200).desired();

        for (int i = 0; i < 120; i++) {
            clock.advance(Duration.ofSeconds(1));
            book.tick(clock.getAsLong());
            PoolDemand demand = book.demand(Demands.POOL, clock.getAsLong());
            Plan plan = planner.plan(RULE, demand, replicas, 0, clock.getAsLong());
            assertThat(plan.desired()).isEqualTo(desired);
            assertThat(plan.holdReason().isEmpty()).isEqualTo(i < 3);
        }

        for (int i = 0; i < 200; i++) assertThat(second(200).desired()).isEqualTo(desired);
    }

    private Plan second(double load) {
        clock.advance(Duration.ofSeconds(1));
        int requests = (int) Math.round(load);
        first.running = requests / 2;
        second.running = requests - requests / 2;
        book.record(first.record(clock.getAsLong()), clock.getAsLong());
        book.record(second.record(clock.getAsLong()), clock.getAsLong());
        book.tick(clock.getAsLong());
        Plan plan = planner.plan(RULE, book.demand(Demands.POOL, clock.getAsLong()), replicas, 0, clock.getAsLong());
        starting.addLast(plan.desired());
        if (starting.size() > START_SECONDS) replicas = starting.removeFirst();
        return plan;
    }
}
