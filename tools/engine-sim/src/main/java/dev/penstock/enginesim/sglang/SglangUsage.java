package dev.penstock.enginesim.sglang;

/** The usage object, in SGLang's order of fields. */
final class SglangUsage {
    private SglangUsage() {}

    static StringBuilder append(StringBuilder out, int promptTokens, int outputTokens, int cachedTokens) {
        out.append("{\"prompt_tokens\":")
                .append(promptTokens)
                .append(",\"total_tokens\":")
                .append(promptTokens + outputTokens)
                .append(",\"completion_tokens\":")
                .append(outputTokens)
                .append(",\"prompt_tokens_details\":");
        if (cachedTokens > 0) {
            out.append("{\"cached_tokens\":").append(cachedTokens).append('}');
        } else {
            out.append("null");
        }
        return out.append(",\"reasoning_tokens\":0}");
    }
}
