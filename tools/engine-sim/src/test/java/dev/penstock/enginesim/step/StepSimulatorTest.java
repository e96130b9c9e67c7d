package dev.penstock.enginesim.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StepSimulatorTest {
    /** 1 ms a step and 0.01 ms a token; nothing else costs. */
    private static final StepCost PLAIN = new StepCost(1, 0, 0.01, 0, 0, 0, 0);

    private final ManualNanos clock = new ManualNanos();
    private final List<Integer> stepTokens = new ArrayList<>();

    private StepSimulator simulator(int maxNumSeqs, int batchedTokens, int kvBlocks) {
        Profile profile = new Profile(
                "test",
                PLAIN,
                maxNumSeqs,
                batchedTokens,
                kvBlocks,
                kvBlocks * Profile.BLOCK_TOKENS,
                new RequestOverhead(0, 0, 0),
                Jitter.NONE);
        return new StepSimulator(profile, clock, new SplittableRandom(1), new StepObserver() {
            @Override
            public void stepEnded(int tokens, int prefillTokens) {
                stepTokens.add(tokens);
            }
        });
    }

    private static void ignore(Sequence sequence) {}

    private void runToEnd(StepSimulator simulator) {
        for (long wait = simulator.advance(); wait != StepSimulator.IDLE; wait = simulator.advance()) {
            clock.plusNanos(wait);
        }
    }

    @Test
    void an_idle_engine_asks_for_no_timer() {
        assertThat(simulator(8, 100, 100).advance()).isEqualTo(StepSimulator.IDLE);
    }

    @Test
    void the_first_token_comes_with_the_prefill_and_the_others_a_step_each() {
        StepSimulator simulator = simulator(8, 100, 100);
        long start = clock.getAsLong();

        Sequence sequence = simulator.submit(50, 3, StepSimulatorTest::ignore);
        runToEnd(simulator);

        assertThat(sequence.firstTokenNanos() - start).isEqualTo(1_500_000);
        assertThat(sequence.lastTokenNanos() - start).isEqualTo(1_500_000 + 2 * 1_010_000);
        assertThat(stepTokens).containsExactly(50, 1, 1);
        assertThat(sequence.finished()).isTrue();
    }

    @Test
    void a_long_prompt_takes_several_chunks_while_others_decode() {
        StepSimulator simulator = simulator(8, 100, 100);
        simulator.submit(10, 5, StepSimulatorTest::ignore);
        clock.plusNanos(simulator.advance());
        simulator.submit(250, 1, StepSimulatorTest::ignore);

        runToEnd(simulator);

        // The decoding sequence goes first: chunks of 99, 99 and the rest of 52 beside it.
        assertThat(stepTokens).containsExactly(10, 100, 100, 53, 1);
    }

    @Test
    void a_prefill_stretches_the_inter_token_time_of_the_others() {
        StepSimulator simulator = simulator(8, 1000, 100);
        List<Long> times = new ArrayList<>();
        simulator.submit(10, 3, sequence -> times.add(sequence.lastTokenNanos()));
        clock.plusNanos(simulator.advance());
        simulator.submit(500, 1, StepSimulatorTest::ignore);

        runToEnd(simulator);

        assertThat(times.get(1) - times.get(0)).isEqualTo(6_010_000);
        assertThat(times.get(2) - times.get(1)).isEqualTo(1_010_000);
    }

    @Test
    void a_late_timer_costs_no_throughput() {
        StepSimulator simulator = simulator(8, 100, 100);
        Sequence sequence = simulator.submit(50, 100, StepSimulatorTest::ignore);
        simulator.advance();

        clock.plusMillis(1.5 + 99 * 1.01);
        simulator.advance();

        assertThat(sequence.finished()).isTrue();
    }

    @Test
    void an_engine_on_a_machine_that_cannot_keep_up_gets_slower_instead_of_bursting() {
        StepSimulator simulator = simulator(8, 100, 1000);
        Sequence sequence = simulator.submit(50, 10_000, StepSimulatorTest::ignore);
        simulator.advance();

        clock.plusMillis(5000);
        simulator.advance();

        // The first token, then what fits in the 250 ms that may be caught up.
        assertThat(sequence.generatedTokens()).isBetween(245, 249);
    }

    @Test
    void sequences_beyond_the_limit_wait() {
        StepSimulator simulator = simulator(2, 100, 100);
        for (int i = 0; i < 5; i++) {
            simulator.submit(1, 10, StepSimulatorTest::ignore);
        }

        simulator.advance();

        assertThat(simulator.running()).isEqualTo(2);
        assertThat(simulator.waiting()).isEqualTo(3);
    }

    @Test
    void a_request_that_does_not_fit_in_the_kv_cache_holds_up_those_behind_it() {
        StepSimulator simulator = simulator(8, 1000, 10);
        simulator.submit(96, 16, StepSimulatorTest::ignore);
        simulator.submit(80, 16, StepSimulatorTest::ignore);
        Sequence small = simulator.submit(1, 1, StepSimulatorTest::ignore);

        simulator.advance();

        assertThat(simulator.running()).isEqualTo(1);
        assertThat(small.state()).isEqualTo(Sequence.State.WAITING);
        assertThat(simulator.heldBlocks()).isEqualTo(6);
    }

    @Test
    void kv_usage_counts_blocks_that_sequences_hold() {
        StepSimulator simulator = simulator(8, 1000, 10);
        simulator.submit(17, 80, StepSimulatorTest::ignore);

        clock.plusNanos(simulator.advance());
        simulator.advance();

        assertThat(simulator.kvUsage()).isEqualTo(0.2);
    }

    @Test
    void an_aborted_sequence_is_gone_at_once_and_makes_room() {
        StepSimulator simulator = simulator(1, 100, 100);
        Sequence first = simulator.submit(1, 1000, StepSimulatorTest::ignore);
        Sequence second = simulator.submit(1, 1, StepSimulatorTest::ignore);
        clock.plusNanos(simulator.advance());
        simulator.advance();

        simulator.abort(first);

        assertThat(simulator.running()).isZero();
        assertThat(simulator.heldBlocks()).isZero();
        runToEnd(simulator);
        assertThat(second.finished()).isTrue();
        assertThat(first.generatedTokens()).isEqualTo(1);
    }

    @Test
    void a_pause_ends_no_step_and_keeps_the_time_the_step_had_left() {
        StepSimulator simulator = simulator(8, 100, 100);
        Sequence sequence = simulator.submit(50, 1, StepSimulatorTest::ignore);
        simulator.advance();
        clock.plusMillis(1);

        simulator.pause();
        clock.plusMillis(60_000);
        assertThat(simulator.advance()).isEqualTo(StepSimulator.IDLE);
        assertThat(sequence.generatedTokens()).isZero();
        simulator.resume();

        assertThat(simulator.advance()).isEqualTo(500_000);
    }

    @Test
    void a_slowed_engine_takes_that_many_times_as_long() {
        StepSimulator simulator = simulator(8, 100, 100);

        simulator.slowDown(5);
        simulator.submit(50, 1, StepSimulatorTest::ignore);

        assertThat(simulator.advance()).isEqualTo(7_500_000);
    }

    @Test
    void an_embedding_ends_with_its_prefill() {
        StepSimulator simulator = simulator(8, 100, 100);
        List<Boolean> finished = new ArrayList<>();

        simulator.submit(50, 0, sequence -> finished.add(sequence.finished()));
        runToEnd(simulator);

        assertThat(finished).containsExactly(true);
        assertThat(stepTokens).containsExactly(50);
    }

    @Test
    void the_same_seed_gives_the_same_times() {
        assertThat(jitteredTimes(7)).isEqualTo(jitteredTimes(7));
        assertThat(jitteredTimes(7)).isNotEqualTo(jitteredTimes(8));
    }

    private static List<Long> jitteredTimes(long seed) {
        ManualNanos clock = new ManualNanos();
        StepSimulator simulator =
                new StepSimulator(Profile.LLAMA_8B_H100, clock, new SplittableRandom(seed), StepObserver.NONE);
        List<Long> times = new ArrayList<>();
        simulator.submit(500, 50, sequence -> times.add(sequence.lastTokenNanos()));
        for (long wait = simulator.advance(); wait != StepSimulator.IDLE; wait = simulator.advance()) {
            clock.plusNanos(wait);
        }
        return times;
    }

    @Test
    void an_idle_h100_answers_a_2k_prompt_in_about_60_ms() {
        ManualNanos manual = new ManualNanos();
        StepSimulator simulator =
                new StepSimulator(Profile.LLAMA_8B_H100, manual, new SplittableRandom(1), StepObserver.NONE);
        Sequence sequence = simulator.submit(2048, 1, StepSimulatorTest::ignore);

        for (long wait = simulator.advance(); wait != StepSimulator.IDLE; wait = simulator.advance()) {
            manual.plusNanos(wait);
        }

        assertThat((sequence.firstTokenNanos() - sequence.arrivalNanos()) / 1e6).isBetween(50.0, 75.0);
    }
}
