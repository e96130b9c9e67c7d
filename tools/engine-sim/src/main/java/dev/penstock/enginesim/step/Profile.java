package dev.penstock.enginesim.step;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An engine on a certain GPU: step costs and scheduler limits.
 *
 * @param maxNumSeqs sequences that may run at once
 * @param maxNumBatchedTokens tokens that fit in one step
 * @param kvBlocks KV cache size in blocks of {@link #BLOCK_TOKENS} tokens
 * @param maxModelLen prompt and output of one request together, in tokens
 * @param vision what images cost on top of their tokens
 * @param use what the model is for: a pooling model refuses to generate, and the other way round is allowed
 */
public record Profile(
        String name,
        StepCost cost,
        int maxNumSeqs,
        int maxNumBatchedTokens,
        int kvBlocks,
        int maxModelLen,
        RequestOverhead overhead,
        Jitter jitter,
        Vision vision,
        Use use) {
    /** What a model is for. */
    public enum Use {
        GENERATION,
        POOLING
    }

    public static final int BLOCK_TOKENS = 16;

    private static final RequestOverhead SERVER_OVERHEAD = new RequestOverhead(5, 15, 1);
    private static final Jitter SERVER_JITTER = new Jitter(0.05, 0.001);

    /** For laptops and tests: about 2 ms a step, 32 tokens in well under 100 ms. Imitates no hardware. */
    public static final Profile FAST = new Profile(
            "fast",
            new StepCost(0.5, 1.4, 0.002, 1e-6, 1e-8, 0, 0),
            256,
            8192,
            16_384,
            32_768,
            new RequestOverhead(0.1, 0.3, 0.02),
            new Jitter(0.05, 0));

    /** The same at half the speed, so that a mix of both has something to be learned. Imitates no hardware either. */
    public static final Profile SLOW = new Profile(
            "slow",
            new StepCost(1.0, 2.8, 0.004, 2e-6, 2e-8, 0, 0),
            256,
            8192,
            16_384,
            32_768,
            new RequestOverhead(0.1, 0.3, 0.02),
            new Jitter(0.05, 0));

    public static final Profile LLAMA_8B_H100 = new Profile(
            "8b-h100",
            new StepCost(2.0, 6.0, 0.022, 5.2e-5, 1.5e-6, 0, 0),
            1024,
            8192,
            28_125,
            131_072,
            SERVER_OVERHEAD,
            SERVER_JITTER);

    public static final Profile LLAMA_8B_A100 = new Profile(
            "8b-a100",
            new StepCost(2.0, 9.8, 0.0665, 9.4e-5, 3.5e-6, 0, 0),
            256,
            2048,
            28_125,
            131_072,
            SERVER_OVERHEAD,
            SERVER_JITTER);

    /** Eight GPUs, tensor parallel. */
    public static final Profile LLAMA_70B_H100 = new Profile(
            "70b-h100",
            new StepCost(2.0, 8.5, 0.0299, 1.6e-5, 0.9e-6, 4, 0.0113),
            1024,
            8192,
            87_500,
            131_072,
            SERVER_OVERHEAD,
            SERVER_JITTER);

    /** The same under the name that says how many GPUs. */
    public static final Profile LLAMA_70B_H100_TP8 = LLAMA_70B_H100.named70bTp8();

    /**
     * A 2B vision-language embedding model on an A100, all estimates: one CPU worker needs 16 to 22 ms for an image of
     * 512 x 512, which limits a replica to about 52 such images a second. The encoder's 0.01 ms a patch is less than
     * what is reported for single images; it is chosen so that the latencies at 60 % load are those of such servers
     * (p50 45 to 70 ms, p99 110 to 130 ms).
     */
    public static final Profile EMBEDDING = new Profile(
            "embedding",
            new StepCost(1.0, 3.0, 0.018, 0, 1e-6, 0, 0),
            256,
            2048,
            28_125,
            32_768,
            new RequestOverhead(3, 8, 1),
            SERVER_JITTER,
            new Vision(16, 22, 0.04),
            Use.POOLING);

    private static final List<Profile> KNOWN =
            List.of(FAST, SLOW, LLAMA_8B_H100, LLAMA_8B_A100, LLAMA_70B_H100, LLAMA_70B_H100_TP8, EMBEDDING);

    public Profile {
        requirePositive("max_num_seqs", maxNumSeqs);
        requirePositive("max_num_batched_tokens", maxNumBatchedTokens);
        requirePositive("max_model_len", maxModelLen);
        if (kvBlocks < blocks(maxModelLen)) {
            throw new IllegalArgumentException("profile " + name + ": expected at least " + blocks(maxModelLen)
                    + " KV blocks so that a request of max_model_len " + maxModelLen + " can ever run, got "
                    + kvBlocks);
        }
    }

    /** A model for generation whose images cost what their tokens cost. */
    public Profile(
            String name,
            StepCost cost,
            int maxNumSeqs,
            int maxNumBatchedTokens,
            int kvBlocks,
            int maxModelLen,
            RequestOverhead overhead,
            Jitter jitter) {
        this(
                name,
                cost,
                maxNumSeqs,
                maxNumBatchedTokens,
                kvBlocks,
                maxModelLen,
                overhead,
                jitter,
                Vision.FREE,
                Use.GENERATION);
    }

    /**
     * The profile of that name.
     *
     * @throws IllegalArgumentException that lists the known names
     */
    public static Profile named(String name) {
        return KNOWN.stream()
                .filter(profile -> profile.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown profile '" + name + "', expected one of: " + String.join(", ", names())));
    }

    public static List<String> names() {
        return KNOWN.stream().map(Profile::name).collect(Collectors.toUnmodifiableList());
    }

    /** The same hardware with another limit on running sequences, as the engine's option of that name does. */
    public Profile withMaxNumSeqs(int limit) {
        return with(name, limit);
    }

    private Profile named70bTp8() {
        return with("70b-h100-tp8", maxNumSeqs);
    }

    private Profile with(String otherName, int limit) {
        return new Profile(
                otherName, cost, limit, maxNumBatchedTokens, kvBlocks, maxModelLen, overhead, jitter, vision, use);
    }

    /** Blocks that hold this many tokens. */
    public static int blocks(int tokens) {
        return Math.ceilDiv(tokens, BLOCK_TOKENS);
    }

    private static void requirePositive(String key, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(key + ": expected a positive number, got " + value);
        }
    }
}
