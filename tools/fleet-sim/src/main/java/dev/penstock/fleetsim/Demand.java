package dev.penstock.fleetsim;

/**
 * What a request asks of an engine: engines of slots work on it for a time, engines of a batch through its tokens.
 *
 * @param serviceNanos with the slot to itself; 0 in a trace
 * @param blocks of the prompt, as far as they are told
 */
record Demand(double serviceNanos, int promptTokens, int outputTokens, PromptBlocks blocks) {
    static Demand ofTime(double serviceNanos) {
        return new Demand(serviceNanos, 1, 1, PromptBlocks.NONE);
    }

    static Demand ofTokens(int promptTokens, int outputTokens) {
        return ofTokens(promptTokens, outputTokens, PromptBlocks.NONE);
    }

    static Demand ofTokens(int promptTokens, int outputTokens, PromptBlocks blocks) {
        return new Demand(0, promptTokens, outputTokens, blocks);
    }

    /** The whole prompt, and that share of the output. */
    Demand cutTo(double share) {
        return new Demand(serviceNanos * share, promptTokens, Math.max(1, (int) (outputTokens * share)), blocks);
    }
}
