package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.step.BlockHashes;
import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body that was understood and may run.
 *
 * @param choices {@code n}: sequences per prompt
 * @param outputTokens per sequence; 0 for embeddings
 * @param base64 embeddings only: floats as base64 instead of numbers
 * @param dimensions embeddings only: length of a vector
 * @param rid the id an SGLang client gives, which vLLM ignores
 */
public record GenerationRequest(
        Endpoint endpoint,
        String model,
        List<Prompt> prompts,
        int choices,
        int outputTokens,
        boolean stream,
        boolean includeUsage,
        boolean base64,
        int dimensions,
        @Nullable String rid) {

    public int sequences() {
        return prompts.size() * choices;
    }

    public Prompt promptOf(int sequence) {
        return prompts.get(sequence / choices);
    }

    public int promptTokens() {
        return prompts.stream().mapToInt(Prompt::tokens).sum();
    }

    /** What a sequence asks of the engine. Embeddings neither use nor feed the prefix cache. */
    Work workOf(int sequence) {
        Prompt prompt = promptOf(sequence);
        BlockHashes blocks = endpoint == Endpoint.EMBEDDINGS ? BlockHashes.NONE : prompt.blocks();
        return new Work(prompt.tokens(), prompt.imageTokens(), blocks, outputTokens, false);
    }

    /** Of each prompt what its first choice found. */
    int cachedTokens(List<Sequence> sequences) {
        int cached = 0;
        for (int i = 0; i < sequences.size(); i += choices) {
            cached += sequences.get(i).cachedTokens();
        }
        return cached;
    }
}
