package dev.penstock.enginesim.vllm;

import org.jspecify.annotations.Nullable;

/**
 * The events of one stream, as text ready to send. Which events come when is the business of {@link StreamedAnswer};
 * how they look in chat and in completions, which differ only there, is here. Fields that vLLM leaves unset are left
 * out; those it sets to null are printed.
 */
final class StreamFrames {
    static final String DONE = "data: [DONE]\n\n";

    private final boolean chat;
    private final String prefix;

    StreamFrames(Endpoint endpoint, String id, long createdSeconds, String model) {
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
    @Nullable
    String opening(int index) {
        return chat
                ? prefix + "{\"index\":" + index
                        + ",\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n"
                : null;
    }

    String token(int index, String text) {
        return choice(index, text).append(",\"finish_reason\":null}]}\n\n").toString();
    }

    /** The last token of a choice, with the reason why it is the last. */
    String lastToken(int index, String text, String finishReason) {
        return choice(index, text)
                .append(",\"finish_reason\":\"")
                .append(finishReason)
                .append("\",\"stop_reason\":null}],\"system_fingerprint\":\"")
                .append(VllmVersion.FINGERPRINT)
                .append("\"}\n\n")
                .toString();
    }

    String usage(int promptTokens, int outputTokens) {
        StringBuilder out = new StringBuilder(prefix).append("],\"usage\":");
        return Usage.append(out, promptTokens, outputTokens).append("}}\n\n").toString();
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
