package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.enginesim.step.BlockHashes;
import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body that was understood and may run.
 *
 * @param choices {@code n}: sequences per prompt
 * @param outputTokens per sequence; 0 for what ends with its prefill
 * @param base64 embeddings only: floats as base64 instead of numbers
 * @param dimensions embeddings only: length of a vector
 * @param rid the id an SGLang client gives, which vLLM ignores
 * @param body all that was said, for fields that only one API has
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
        @Nullable String rid,
        JsonNode body) {

    public int sequences() {
        return prompts.size() * choices;
    }

    public Prompt promptOf(int sequence) {
        return prompts.get(sequence / choices);
    }

    public int promptTokens() {
        return prompts.stream().mapToInt(Prompt::tokens).sum();
    }

    /** Whether a response may be asked for later. */
    boolean stored() {
        return endpoint == Endpoint.RESPONSES && body.path("store").asBoolean(true);
    }

    /** Whether a response is answered before it is made. */
    boolean background() {
        return endpoint == Endpoint.RESPONSES && body.path("background").asBoolean(false);
    }

    /** Text of one sequence, as far as it is. */
    public String text(Words words, int sequence, int tokens) {
        return words.text(words.key(promptOf(sequence).text(), sequence % choices), tokens);
    }

    /** What a sequence asks of the engine. What does not generate text neither uses nor feeds the prefix cache. */
    Work workOf(int sequence) {
        Prompt prompt = promptOf(sequence);
        BlockHashes blocks = endpoint.cachesPrompts() ? prompt.blocks() : BlockHashes.NONE;
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
