package dev.penstock.enginesim.step;

/**
 * What one sequence asks of the engine.
 *
 * @param promptTokens 1 or more
 * @param imageTokens how many of them stand for images, which cost preprocessing and a vision encoder
 * @param blockHashes chained hashes of the prompt's full blocks, first block first; empty = nothing to find in the
 *     prefix cache or to leave there
 * @param outputTokens 0 for embeddings, which end with their prefill
 * @param probe a health check's token, which no metric counts
 */
public record Work(int promptTokens, int imageTokens, BlockHashes blockHashes, int outputTokens, boolean probe) {
    public static Work of(int promptTokens, int outputTokens) {
        return new Work(promptTokens, 0, BlockHashes.NONE, outputTokens, false);
    }

    public static Work of(BlockHashes prompt, int outputTokens) {
        return new Work(prompt.tokens(), 0, prompt, outputTokens, false);
    }

    /** One token in, one out: what SGLang's health check generates. */
    public static Work ofProbe() {
        return new Work(1, 0, BlockHashes.NONE, 1, true);
    }
}
