package dev.penstock.benchmarks;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.core.prefix.PrefixMatch;
import dev.penstock.core.prefix.PrefixTable;
import java.util.SplittableRandom;

/** One event loop that asks a full table about prompts of 40 blocks, of which their replica has 10 to 40. */
final class PrefixLoop implements Loop {
    static final int TABLE_BLOCKS = 200_000;

    private static final long TTL_NANOS = 600_000_000_000L;
    private static final long NOW = 1_000_000_000_000L;
    private static final int PROMPTS = 5_000;
    private static final int BLOCKS = 40;
    private static final int LEAST_KNOWN = 10;
    private static final long TURN_NANOS = 1_000_000;

    private final PrefixTable table = new PrefixTable(TABLE_BLOCKS, TTL_NANOS);
    private final PrefixChain[] prompts = new PrefixChain[PROMPTS];
    private final PrefixMatch match = new PrefixMatch();
    private final SplittableRandom random;
    private final int replicas;
    private final boolean learns;
    private long now = NOW;

    /** @param learns each is then sent somewhere, and that is learned */
    PrefixLoop(int replicas, boolean learns) {
        this.replicas = replicas;
        this.learns = learns;
        this.random = new SplittableRandom(replicas);
        PrefixChain known = new PrefixChain();
        for (int i = 0; i < PROMPTS; i++) {
            prompts[i] = new PrefixChain();
            prompts[i].start(i);
            known.start(i);
            int length = random.nextInt(LEAST_KNOWN, BLOCKS + 1);
            for (int block = 0; block < BLOCKS; block++) {
                prompts[i].addBlock(block);
                if (block < length) known.addBlock(block);
            }
            table.learn(known, random.nextInt(replicas), NOW);
        }
    }

    @Override
    public void run(int operations) {
        for (int i = 0; i < operations; i++) {
            PrefixChain prompt = prompts[random.nextInt(PROMPTS)];
            table.find(prompt, now, match);
            if (!learns) continue;
            now += TURN_NANOS;
            table.learn(prompt, random.nextInt(replicas), now);
        }
    }
}
