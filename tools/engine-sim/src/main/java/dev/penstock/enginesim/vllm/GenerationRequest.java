package dev.penstock.enginesim.vllm;

import java.util.List;

/**
 * A body that was understood and may run.
 *
 * @param choices {@code n}: sequences per prompt
 * @param outputTokens per sequence; 0 for embeddings
 * @param base64 embeddings only: floats as base64 instead of numbers
 * @param dimensions embeddings only: length of a vector
 */
record GenerationRequest(
        Endpoint endpoint,
        String model,
        List<Prompt> prompts,
        int choices,
        int outputTokens,
        boolean stream,
        boolean includeUsage,
        boolean base64,
        int dimensions) {

    int sequences() {
        return prompts.size() * choices;
    }

    Prompt promptOf(int sequence) {
        return prompts.get(sequence / choices);
    }

    int promptTokens() {
        return prompts.stream().mapToInt(Prompt::tokens).sum();
    }
}
