package dev.penstock.enginesim.messages;

import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.ServerSentEvent;
import dev.penstock.enginesim.openai.StreamEvents;
import org.jspecify.annotations.Nullable;

/** The events of {@code /v1/messages}, as both engines make them out of their chat: one block of text. */
public final class MessageEvents implements StreamEvents {
    private final ApiStyle style;
    private final String id;
    private final String model;
    private final int promptTokens;
    private @Nullable String stopReason;

    public MessageEvents(ApiStyle style, String id, String model, int promptTokens) {
        this.style = style;
        this.id = id;
        this.model = model;
        this.promptTokens = promptTokens;
    }

    @Override
    public @Nullable String opening(int index) {
        StringBuilder start = new StringBuilder("{\"type\":\"message_start\",\"message\":{\"id\":");
        JsonText.append(start, id).append(",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":");
        JsonText.append(start, model);
        // SGLang's first chunk has no usage yet, and fields that are null are left out.
        if (style == ApiStyle.VLLM) {
            start.append(",\"stop_reason\":null,\"stop_sequence\":null");
        }
        start.append(",\"usage\":");
        MessageBody.usage(start, style, style == ApiStyle.VLLM ? promptTokens : 0, 0)
                .append("}}");
        return ServerSentEvent.of("message_start", start)
                + ServerSentEvent.of(
                        "content_block_start",
                        "{\"type\":\"content_block_start\",\"content_block\":{\"type\":\"text\",\"text\":\"\"},\"index\":0}");
    }

    @Override
    public String token(int index, String text) {
        StringBuilder delta =
                new StringBuilder("{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":");
        return ServerSentEvent.of(
                "content_block_delta", JsonText.append(delta, text).append("},\"index\":0}"));
    }

    @Override
    public String lastToken(int index, String text, @Nullable String finishReason) {
        stopReason = MessageBody.stopReason(finishReason);
        return (text.isEmpty() ? "" : token(index, text))
                + ServerSentEvent.of("content_block_stop", "{\"type\":\"content_block_stop\",\"index\":0}");
    }

    @Override
    public String usage(Totals totals) {
        StringBuilder out = new StringBuilder("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":");
        MessageBody.appendReason(out, stopReason).append("},\"usage\":");
        MessageBody.usage(out, style, totals.promptTokens(), totals.outputTokens());
        return ServerSentEvent.of("message_delta", out.append('}'));
    }

    @Override
    public String done(Totals totals) {
        return ServerSentEvent.of("message_stop", "{\"type\":\"message_stop\"}");
    }

    @Override
    public String failed(ErrorReply reply) {
        return ServerSentEvent.of("error", reply.streamJson());
    }
}
