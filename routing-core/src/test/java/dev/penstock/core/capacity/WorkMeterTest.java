package dev.penstock.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.model.Sample;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkMeterTest {
    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(3));
    private final WorkMeter meter = new WorkMeter();
    private long generated = 5_000;
    private long prompt = 20_000;
    private long completions = 100;
    private long steps = 1_000;

    @Test
    void a_tick_is_what_was_done_since_the_last_one() {
        sample(4);
        assertThat(meter.tick()).isFalse();
        for (int i = 0; i < 20; i++) {
            clock.advanceMillis(50);
            steps++;
            generated += 10;
            prompt += 30;
            sample(i < 10 ? 4 : 8);
        }

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(200 + 0.1 * 600, within(1e-9));
        assertThat(meter.meanInflight()).isEqualTo(5.9, within(1e-9));
        assertThat(meter.dtNanos()).isEqualTo(1_000_000_000L);
        assertThat(meter.tick()).isFalse();
    }

    @Test
    void counters_that_fall_spoil_their_tick_and_no_other() {
        sample(4);
        run(500, 4);
        generated = 10;
        prompt = 7;
        completions = 0;
        run(500, 4);
        assertThat(meter.tick()).isFalse();

        run(1_000, 4);
        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(200 + 0.1 * 200, within(1e-9));
    }

    @Test
    void a_restart_that_counters_do_not_show_spoils_as_well() {
        sample(4);
        run(500, 4);
        meter.restarted();
        run(500, 4);

        assertThat(meter.tick()).isFalse();
    }

    @Test
    void a_prompt_counter_that_wavers_is_counted_once() {
        sample(1);
        long before = prompt;
        for (long next : new long[] {before + 100, before + 60, before + 100, before + 110}) {
            clock.advanceMillis(250);
            steps++;
            prompt = next;
            sample(1);
        }

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(11, within(1e-9));
    }

    @Test
    void a_page_that_stands_still_under_load_says_nothing_until_it_moves() {
        sample(4);
        freeze(1_000, 4);
        assertThat(meter.tick()).isFalse();
        freeze(1_000, 4);
        assertThat(meter.tick()).isFalse();
        run(1_000, 4);
        assertThat(meter.tick()).isTrue();
        assertThat(meter.dtNanos()).isEqualTo(3_000_000_000L);

        freeze(6_000, 4);
        assertThat(meter.tick()).isFalse();
        run(1_000, 4);
        assertThat(meter.tick()).isTrue();
        assertThat(meter.dtNanos()).isEqualTo(1_000_000_000L);
    }

    @Test
    void an_idle_engine_has_ticks_without_work() {
        sample(0);
        freeze(1_000, 0);

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isZero();
        assertThat(meter.meanInflight()).isZero();
    }

    @Test
    void an_idle_engine_that_is_seldom_looked_at_is_idle_and_not_missing() {
        sample(0);
        clock.advanceMillis(10_000);
        sample(0);

        assertThat(meter.tick()).isTrue();
        assertThat(meter.meanInflight()).isZero();
        assertThat(meter.dtNanos()).isEqualTo(10_000_000_000L);
    }

    @Test
    void readings_that_were_missing_for_long_spoil() {
        sample(4);
        clock.advanceMillis(4_000);
        steps++;
        generated += 1_000_000;
        sample(4);

        assertThat(meter.tick()).isFalse();
    }

    @Test
    void an_engine_that_generates_nothing_is_measured_by_completions() {
        generated = 0;
        sample(4);
        for (int i = 0; i < 20; i++) {
            clock.advanceMillis(50);
            steps++;
            completions += 3;
            prompt += 1_000;
            sample(4);
        }

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(60);
    }

    @Test
    void what_is_computed_before_the_first_completion_is_counted_in_no_unit() {
        generated = 0;
        completions = 0;
        sample(4);
        clock.advanceMillis(1_000);
        steps++;
        prompt += 8_000;
        sample(4);
        assertThat(meter.tick()).isFalse();

        clock.advanceMillis(1_000);
        steps++;
        prompt += 8_000;
        completions = 40;
        sample(4);
        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(40);
    }

    @Test
    void a_rate_is_integrated_while_something_runs() {
        for (int i = 0; i <= 20; i++) {
            int running = i <= 10 ? 3 : 0;
            meter.sample(rated(400), Sample.UNKNOWN, running, running, clock.getAsLong());
            clock.advanceMillis(50);
        }

        assertThat(meter.tick()).isTrue();
        assertThat(meter.work()).isEqualTo(200, within(1e-9));
    }

    private void run(int millis, int inflight) {
        for (int i = 0; i < millis / 50; i++) {
            clock.advanceMillis(50);
            steps++;
            generated += 10;
            prompt += 10;
            sample(inflight);
        }
    }

    private void freeze(int millis, int inflight) {
        for (int i = 0; i < millis / 50; i++) {
            clock.advanceMillis(50);
            sample(inflight);
        }
    }

    private void sample(int inflight) {
        Work work = new Work(generated, prompt, completions, Double.NaN);
        meter.sample(work, steps, inflight, inflight, clock.getAsLong());
    }

    private static Work rated(double rate) {
        return new Work(Sample.UNKNOWN, Sample.UNKNOWN, Sample.UNKNOWN, rate);
    }
}
