package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.StreamEvents;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * SGLang's events: every field is printed, null or not, {@code created} is the time of the chunk, and in chat
 * finish_reason comes in a chunk of its own whose delta is empty.
 */
final class SglangEvents implements StreamEvents {
    private static final String NULL_DELTA =
            "{\"role\":null,\"content\":null,\"reasoning_content\":null,\"tool_calls\":null}";

    private final boolean chat;
    private final String beforeCreated;
    private final String afterCreated;
    private final LongSupplier seconds;

    SglangEvents(Endpoint endpoint, String id, String model, LongSupplier seconds) {
        this.chat = endpoint == Endpoint.CHAT;
        this.seconds = seconds;
        this.beforeCreated = JsonText.append(new StringBuilder("data: {\"id\":"), id)
                .append(",\"object\":\"")
                .append(chat ? "chat.completion.chunk" : "text_completion")
                .append("\",\"created\":")
                .toString();
        this.afterCreated = JsonText.append(new StringBuilder(",\"model\":"), model)
                .append(",\"choices\":[")
                .toString();
    }

    @Override
    public @Nullable String opening(int index) {
        return chat
                ? chatChunk(
                        index,
                        "{\"role\":\"assistant\",\"content\":\"\",\"reasoning_content\":null,\"tool_calls\":null}",
                        null)
                : null;
    }

    @Override
    public String token(int index, String text) {
        return chat ? contentChunk(index, text) : textChunk(index, text, null);
    }

    @Override
    public String lastToken(int index, String text, @Nullable String finishReason) {
        if (!chat) {
            return textChunk(index, text, finishReason);
        }
        String end = chatChunk(index, NULL_DELTA, finishReason);
        return text.isEmpty() ? end : contentChunk(index, text) + end;
    }

    @Override
    public String usage(Totals totals) {
        return SglangUsage.append(
                        head().append("],\"usage\":"),
                        totals.promptTokens(),
                        totals.outputTokens(),
                        totals.cachedTokens())
                .append("}\n\n")
                .toString();
    }

    private String contentChunk(int index, String text) {
        StringBuilder delta = new StringBuilder("{\"role\":null,\"content\":");
        JsonText.append(delta, text).append(",\"reasoning_content\":null,\"tool_calls\":null}");
        return chatChunk(index, delta.toString(), null);
    }

    private String chatChunk(int index, String delta, @Nullable String finishReason) {
        return ended(
                head().append("{\"index\":").append(index).append(",\"delta\":").append(delta), finishReason);
    }

    private String textChunk(int index, String text, @Nullable String finishReason) {
        StringBuilder out = head().append("{\"index\":").append(index).append(",\"text\":");
        return ended(JsonText.append(out, text), finishReason);
    }

    private static String ended(StringBuilder out, @Nullable String finishReason) {
        return out.append(",\"logprobs\":null,\"finish_reason\":")
                .append(finishReason == null ? "null" : "\"" + finishReason + "\"")
                .append(",\"matched_stop\":null}],\"usage\":null}\n\n")
                .toString();
    }

    private StringBuilder head() {
        return new StringBuilder(320)
                .append(beforeCreated)
                .append(seconds.getAsLong())
                .append(afterCreated);
    }
}
