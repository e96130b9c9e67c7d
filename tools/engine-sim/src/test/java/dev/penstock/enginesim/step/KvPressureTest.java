package dev.penstock.enginesim.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Preemption, prefix cache and shrunken caches, in exact numbers. */
class KvPressureTest {
    private static final StepCost PLAIN = new StepCost(1, 0, 0.01, 0, 0, 0, 0);

    private final ManualNanos clock = new ManualNanos();
    private final List<Integer> stepTokens = new ArrayList<>();
    private int preemptions;

    private StepSimulator simulator(int kvBlocks) {
        Profile profile = new Profile(
                "test",
                PLAIN,
                8,
                1000,
                kvBlocks,
                kvBlocks * Profile.BLOCK_TOKENS,
                new RequestOverhead(0, 0, 0),
                Jitter.NONE);
        return new StepSimulator(profile, clock, new SplittableRandom(1), new StepObserver() {
            @Override
            public void stepEnded(int tokens, int prefillTokens) {
                stepTokens.add(tokens);
            }

            @Override
            public void preempted(Sequence sequence) {
                preemptions++;
            }
        });
    }

    private static BlockHashes prompt(int tokens, int... changes) {
        int[] ids = new int[tokens];
        for (int i = 0; i < tokens; i++) {
            ids[i] = i;
        }
        for (int change : changes) {
            ids[change]++;
        }
        return BlockHashes.of(0, ids);
    }

    private Sequence serve(StepSimulator simulator, BlockHashes prompt, int output) {
        Sequence sequence = simulator.submit(Work.of(prompt, output), _ -> {});
        runToEnd(simulator);
        return sequence;
    }

    private void runToEnd(StepSimulator simulator) {
        for (long wait = simulator.advance(); wait != StepSimulator.IDLE; wait = simulator.advance()) {
            clock.plusNanos(wait);
        }
    }

    @Test
    void the_sequence_admitted_last_is_preempted_and_computes_everything_again() {
        StepSimulator simulator = simulator(4);
        Sequence first = simulator.submit(16, 40, _ -> {});
        Sequence second = simulator.submit(16, 40, _ -> {});

        runToEnd(simulator);

        // Both hold two blocks up to 17 tokens; the first one's third block is the second one's. When the first is
        // done,
        // the second computes 16 + 17 tokens, and gets its 18th with them.
        List<Integer> expected = new ArrayList<>(List.of(32));
        expected.addAll(Collections.nCopies(16, 2));
        expected.addAll(Collections.nCopies(23, 1));
        expected.add(33);
        expected.addAll(Collections.nCopies(22, 1));
        assertThat(stepTokens).isEqualTo(expected);
        assertThat(preemptions).isEqualTo(1);
        assertThat(first.preemptions()).isZero();
        assertThat(second.preemptions()).isEqualTo(1);
        assertThat(second.generatedTokens()).isEqualTo(40);
        assertThat(simulator.heldBlocks()).isZero();
    }

    @Test
    void a_preempted_sequence_waits_and_keeps_its_first_token_time() {
        StepSimulator simulator = simulator(4);
        simulator.submit(16, 40, _ -> {});
        Sequence second = simulator.submit(16, 40, _ -> {});
        long firstToken = clock.getAsLong() + 1_320_000;

        while (preemptions == 0) {
            clock.plusNanos(simulator.advance());
        }

        assertThat(simulator.running()).isEqualTo(1);
        assertThat(simulator.waiting()).isEqualTo(1);
        assertThat(second.generatedTokens()).isEqualTo(17);
        assertThat(simulator.kvUsage()).isEqualTo(0.75);
        runToEnd(simulator);
        assertThat(second.firstTokenNanos()).isEqualTo(firstToken);
    }

    @Test
    void a_prompt_seen_before_computes_only_what_is_not_in_full_blocks() {
        StepSimulator simulator = simulator(100);

        assertThat(serve(simulator, prompt(40), 1).cachedTokens()).isZero();
        assertThat(serve(simulator, prompt(40), 1).cachedTokens()).isEqualTo(32);
        assertThat(serve(simulator, prompt(40, 20), 1).cachedTokens()).isEqualTo(16);
        assertThat(serve(simulator, prompt(40, 0), 1).cachedTokens()).isZero();

        assertThat(stepTokens).containsExactly(40, 8, 24, 40);
        assertThat(simulator.cachedBlocks()).isEqualTo(2 + 1 + 2);
    }

    @Test
    void at_least_the_last_token_is_computed() {
        StepSimulator simulator = simulator(100);
        serve(simulator, prompt(32), 1);

        assertThat(serve(simulator, prompt(32), 1).cachedTokens()).isEqualTo(16);
        assertThat(serve(simulator, prompt(33), 1).cachedTokens()).isEqualTo(32);
    }

    @Test
    void different_salts_share_nothing() {
        StepSimulator simulator = simulator(100);
        serve(simulator, BlockHashes.of(1, new int[40]), 1);

        assertThat(serve(simulator, BlockHashes.of(2, new int[40]), 1).cachedTokens())
                .isZero();
        assertThat(serve(simulator, BlockHashes.of(1, new int[40]), 1).cachedTokens())
                .isEqualTo(32);
    }

    @Test
    void running_sequences_share_blocks() {
        StepSimulator simulator = simulator(100);
        serve(simulator, prompt(64), 1);
        for (int i = 0; i < 3; i++) {
            simulator.submit(Work.of(prompt(65), 10), _ -> {});
        }

        clock.plusNanos(simulator.advance());

        // Four common blocks, and one for each of the last tokens.
        assertThat(simulator.heldBlocks()).isEqualTo(4 + 3);
    }

    @Test
    void the_tail_of_the_prompt_unused_for_longest_is_evicted_first() {
        StepSimulator simulator = simulator(4);
        serve(simulator, prompt(49), 1);

        serve(simulator, BlockHashes.of(9, new int[32]), 1);

        assertThat(simulator.cachedBlocks()).isEqualTo(4);
        assertThat(serve(simulator, prompt(49), 1).cachedTokens()).isEqualTo(32);
    }

    @Test
    void cached_blocks_count_as_free() {
        StepSimulator simulator = simulator(4);
        serve(simulator, prompt(64 - 1), 1);

        assertThat(simulator.cachedBlocks()).isEqualTo(3);
        assertThat(simulator.kvUsage()).isZero();
        assertThat(serve(simulator, BlockHashes.of(5, new int[63]), 1).finished())
                .isTrue();
    }

    @Test
    void a_request_that_fits_no_longer_waits_for_the_cache_to_grow_back() {
        StepSimulator simulator = simulator(10);
        simulator.limitKv(0.2);
        Sequence large = simulator.submit(100, 1, _ -> {});

        assertThat(simulator.advance()).isEqualTo(StepSimulator.IDLE);
        assertThat(simulator.waiting()).isEqualTo(1);
        simulator.limitKv(1);
        runToEnd(simulator);

        assertThat(large.finished()).isTrue();
        assertThat(stepTokens).containsExactly(100);
    }

    @Test
    void a_storm_preempts_in_every_other_step_while_somebody_runs_beside() {
        StepSimulator simulator = simulator(100);
        simulator.storm(true);
        simulator.submit(16, 20, _ -> {});
        simulator.submit(16, 20, _ -> {});

        runToEnd(simulator);

        assertThat(preemptions).isBetween(5, 20);
        assertThat(simulator.heldBlocks()).isZero();
    }

    @Test
    void a_stalled_queue_still_fills() {
        StepSimulator simulator = simulator(100);
        simulator.pause();
        simulator.submit(16, 1, _ -> {});
        clock.plusMillis(1);

        simulator.advance();

        assertThat(simulator.waiting()).isEqualTo(1);
    }

    @Test
    void images_are_prepared_one_after_another_and_encoded_in_the_step() {
        Profile profile = new Profile(
                "v",
                PLAIN,
                8,
                1000,
                100,
                1600,
                new RequestOverhead(0, 0, 0),
                Jitter.NONE,
                new Vision(10, 10, 0.1),
                Profile.Use.POOLING);
        StepSimulator simulator = new StepSimulator(profile, clock, new SplittableRandom(1), StepObserver.NONE);
        long start = clock.getAsLong();
        Work image = new Work(256, 256, BlockHashes.NONE, 0, false);

        Sequence first = simulator.submit(image, _ -> {});
        Sequence second = simulator.submit(image, _ -> {});
        runToEnd(simulator);

        // 10 ms, then 1 + 2.56 + 25.6; the second is prepared meanwhile.
        assertThat((first.lastTokenNanos() - start) / 1e6).isEqualTo(39.16);
        assertThat((second.lastTokenNanos() - start) / 1e6).isEqualTo(39.16 + 29.16);
    }

    /** Open loop at 60 % of what one replica can do, images of 512 x 512: the published latencies of such a server. */
    @Test
    void the_embedding_profile_answers_images_as_such_servers_do() {
        StepSimulator simulator =
                new StepSimulator(Profile.EMBEDDING, clock, new SplittableRandom(3), StepObserver.NONE);
        SplittableRandom arrivals = new SplittableRandom(4);
        List<Sequence> all = new ArrayList<>();
        long next = clock.getAsLong();
        while (all.size() < 20_000) {
            long wait = simulator.advance();
            long now = clock.getAsLong();
            if (now >= next) {
                all.add(simulator.submit(new Work(260, 256, BlockHashes.NONE, 0, false), _ -> {}));
                next = now + Math.round(-Math.log(1 - arrivals.nextDouble()) / 31 * 1e9);
            } else {
                clock.plusNanos(Math.min(wait, next - now));
            }
        }
        runToEnd(simulator);

        double[] millis = all.stream()
                .mapToDouble(s -> (s.lastTokenNanos() - s.arrivalNanos()) / 1e6)
                .sorted()
                .toArray();
        assertThat(millis[millis.length / 2]).isBetween(45.0, 70.0);
        assertThat(millis[millis.length * 99 / 100]).isBetween(100.0, 140.0);
        assertThat(Arrays.stream(millis).min().orElse(0)).isGreaterThan(30);
    }
}
