package dev.penstock.enginesim.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Random loads, aborts included, driven with timers that fire late. */
class StepSimulatorProperties {
    private static final int KV_BLOCKS = 40;
    private static final int REQUESTS = 60;

    @Property(tries = 300, seed = "1")
    void limits_hold_and_every_request_gets_exactly_its_tokens_in_order(
            @ForAll @LongRange(min = 0) long seed,
            @ForAll @IntRange(min = 1, max = 12) int maxNumSeqs,
            @ForAll @IntRange(min = 1, max = 200) int batchedTokens) {
        SplittableRandom random = new SplittableRandom(seed);
        ManualNanos clock = new ManualNanos();
        Profile profile = new Profile(
                "random",
                new StepCost(0.5, 1, 0.01, 1e-4, 1e-6, 0, 0),
                maxNumSeqs,
                batchedTokens,
                KV_BLOCKS,
                KV_BLOCKS * Profile.BLOCK_TOKENS,
                new RequestOverhead(0.1, 3, 1),
                new Jitter(0.05, 0.01));
        Limits limits = new Limits(maxNumSeqs, batchedTokens);
        StepSimulator simulator = new StepSimulator(profile, clock, random.split(), limits);
        limits.watched = simulator;
        List<Sequence> all = new ArrayList<>();
        List<Sequence> aborted = new ArrayList<>();

        while (all.size() < REQUESTS || simulator.advance() != StepSimulator.IDLE) {
            if (all.size() < REQUESTS && random.nextInt(3) == 0) {
                int prompt = 1 + random.nextInt(300);
                int output = random.nextInt(100);
                // A few prompts, long and short, so that they share blocks, also while others hold them.
                int[] ids = new int[prompt];
                ids[0] = random.nextInt(3);
                Work work = Work.of(BlockHashes.of(0, ids), output);
                all.add(simulator.submit(work, sequence -> limits.check()));
            }
            if (!all.isEmpty() && random.nextInt(25) == 0) {
                Sequence victim = all.get(random.nextInt(all.size()));
                if (!victim.finished()) {
                    simulator.abort(victim);
                    aborted.add(victim);
                }
            }
            clock.plusNanos(random.nextLong(5_000_000));
            simulator.advance();
            limits.check();
        }

        for (Sequence sequence : all) {
            boolean wasAborted = aborted.contains(sequence);
            assertThat(sequence.finished()).isNotEqualTo(wasAborted);
            if (!wasAborted) {
                assertThat(sequence.generatedTokens()).isEqualTo(sequence.outputTokens());
            }
        }
        assertFirstComeFirstServed(all);
        assertThat(simulator.running()).isZero();
        assertThat(simulator.waiting()).isZero();
        assertThat(simulator.heldBlocks()).isZero();
        assertThat(simulator.cachedBlocks()).isBetween(0, KV_BLOCKS);
    }

    private static void assertFirstComeFirstServed(List<Sequence> all) {
        List<Long> scheduled = all.stream()
                .filter(Sequence::finished)
                .sorted(Comparator.comparingLong(Sequence::readyNanos))
                .map(Sequence::scheduledNanos)
                .toList();
        assertThat(scheduled).isSorted();
    }

    private static final class Limits implements StepObserver {
        private final int maxNumSeqs;
        private final int batchedTokens;
        private StepSimulator watched;

        Limits(int maxNumSeqs, int batchedTokens) {
            this.maxNumSeqs = maxNumSeqs;
            this.batchedTokens = batchedTokens;
        }

        void check() {
            assertThat(watched.running()).isLessThanOrEqualTo(maxNumSeqs);
            assertThat(watched.heldBlocks()).isBetween(0, KV_BLOCKS);
            assertThat(watched.kvUsage()).isBetween(0.0, 1.0);
        }

        @Override
        public void stepEnded(int tokens, int prefillTokens) {
            assertThat(tokens).isBetween(1, batchedTokens);
        }
    }
}
