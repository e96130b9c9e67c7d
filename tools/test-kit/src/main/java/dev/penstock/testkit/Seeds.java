package dev.penstock.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The seed of one test. A fresh one per test unless {@code -Dpenstock.seed=N} names it; a failing test says which seed it
 * had, and that run is repeated by naming it.
 */
public final class Seeds {
    public static final String PROPERTY = "penstock.seed";

    private final long seed;

    private Seeds(long seed) {
        this.seed = seed;
    }

    /** The seed named by the system property, else a fresh one. */
    public static Seeds fresh() {
        String named = System.getProperty(PROPERTY);
        return named == null ? of(new SplittableRandom().nextLong()) : of(parse(named));
    }

    public static Seeds of(long seed) {
        return new Seeds(seed);
    }

    /** Runs {@code test} with a seeded generator; on failure the seed is printed and attached to what was thrown. */
    public static void run(SeededTest test) throws Exception {
        Seeds seeds = fresh();
        try {
            test.run(seeds.random());
        } catch (Exception | AssertionError failure) {
            seeds.report(failure);
            throw failure;
        }
    }

    public long seed() {
        return seed;
    }

    /** A new generator from the start of the seed's sequence; the same one on every JVM. */
    public RandomGenerator random() {
        return new SplittableRandom(seed);
    }

    /** How to run it again. */
    public String replay() {
        return "-D" + PROPERTY + "=" + seed;
    }

    void report(Throwable failure) {
        System.err.println("failed with seed " + seed + "; run it again with " + replay());
        failure.addSuppressed(new SeedNote(replay()));
    }

    private static long parse(String named) {
        try {
            return Long.parseLong(named.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(PROPERTY + " must be a 64-bit integer, was \"" + named + "\"", e);
        }
    }

    /** A test body that draws its randomness from the argument only. */
    @FunctionalInterface
    public interface SeededTest {
        void run(RandomGenerator random) throws Exception;
    }

    /** Carries the seed in the stack trace of a failure; has no trace of its own. */
    private static final class SeedNote extends RuntimeException {
        SeedNote(String replay) {
            super("run it again with " + replay, null, false, false);
        }
    }
}
