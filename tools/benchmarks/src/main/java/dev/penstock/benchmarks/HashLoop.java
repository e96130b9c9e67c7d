package dev.penstock.benchmarks;

import dev.penstock.core.prefix.PrefixChain;
import java.util.SplittableRandom;

/** Hashes a prompt of 64 KiB, which comes in pieces as a body does. */
final class HashLoop implements Loop {
    static final int BYTES = 64 * 1024;

    private static final int PIECE = 8 * 1024;

    private final byte[] prompt = new byte[BYTES];
    private final PrefixChain chain = new PrefixChain();

    HashLoop() {
        new SplittableRandom(1).nextBytes(prompt);
    }

    @Override
    public void run(int operations) {
        for (int i = 0; i < operations; i++) {
            chain.start(i);
            for (int at = 0; at < BYTES; at += PIECE) chain.add(prompt, at, PIECE);
        }
    }
}
