package dev.penstock.enginesim.vllm;

/** The usage object, in vLLM's order of fields. */
final class Usage {
    private Usage() {}

    /** Leaves the object open, since whole answers add a field that streams do not have. */
    static StringBuilder append(StringBuilder out, int promptTokens, int outputTokens) {
        return out.append("{\"prompt_tokens\":")
                .append(promptTokens)
                .append(",\"total_tokens\":")
                .append(promptTokens + outputTokens)
                .append(",\"completion_tokens\":")
                .append(outputTokens);
    }

    /** Null unless something was cached and the engine was told to say so. */
    static StringBuilder appendDetails(StringBuilder out, int cachedTokens) {
        out.append(",\"prompt_tokens_details\":");
        return cachedTokens > 0
                ? out.append("{\"cached_tokens\":").append(cachedTokens).append('}')
                : out.append("null");
    }
}
