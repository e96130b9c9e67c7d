package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.StreamEvents;
import org.jspecify.annotations.Nullable;

/**
 * vLLM's events, which differ in chat and in completions only in what is here. Fields that vLLM leaves unset are left
 * out; those it sets to null are printed.
 */
final class VllmEvents implements StreamEvents {
    private final boolean chat;
    private final String prefix;

    VllmEvents(Endpoint endpoint, String id, long createdSeconds, String model) {
        this.chat = endpoint == Endpoint.CHAT;
        StringBuilder out = new StringBuilder(160).append("data: {\"id\":");
        JsonText.append(out, id)
                .append(",\"object\":\"")
                .append(chat ? "chat.completion.chunk" : "text_completion")
                .append("\",\"created\":")
                .append(createdSeconds)
                .append(",\"model\":");
        this.prefix = JsonText.append(out, model).append(",\"choices\":[").toString();
    }

    /** The role chunk that opens a choice in chat; completions have none. */
    @Override
    public @Nullable String opening(int index) {
        return chat
                ? prefix + "{\"index\":" + index
                        + ",\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n"
                : null;
    }

    @Override
    public String token(int index, String text) {
        return choice(index, text).append(",\"finish_reason\":null}]}\n\n").toString();
    }

    @Override
    public String lastToken(int index, String text, @Nullable String finishReason) {
        return choice(index, text)
                .append(",\"finish_reason\":")
                .append(finishReason == null ? "null" : "\"" + finishReason + "\"")
                .append(",\"stop_reason\":null}],\"system_fingerprint\":\"")
                .append(VllmVersion.FINGERPRINT)
                .append("\"}\n\n")
                .toString();
    }

    @Override
    public String usage(Totals totals) {
        StringBuilder out = new StringBuilder(prefix).append("],\"usage\":");
        Usage.append(out, totals.promptTokens(), totals.outputTokens());
        if (totals.cachedTokens() > 0) {
            Usage.appendDetails(out, totals.cachedTokens());
        }
        return out.append("}}\n\n").toString();
    }

    private StringBuilder choice(int index, String text) {
        StringBuilder out = new StringBuilder(prefix.length() + 128)
                .append(prefix)
                .append("{\"index\":")
                .append(index)
                .append(chat ? ",\"delta\":{\"content\":" : ",\"text\":");
        return JsonText.append(out, text).append(chat ? "},\"logprobs\":null" : ",\"logprobs\":null");
    }
}
