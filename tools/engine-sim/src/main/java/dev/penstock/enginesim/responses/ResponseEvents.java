package dev.penstock.enginesim.responses;

import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.ServerSentEvent;
import dev.penstock.enginesim.openai.StreamEvents;
import org.jspecify.annotations.Nullable;

/**
 * The events of {@code /v1/responses}, numbered, with one message of one part. There is no {@code [DONE]}: the event that
 * ends the stream has the whole response.
 */
public final class ResponseEvents implements StreamEvents {
    static final String FAILURE = "{\"code\":\"server_error\",\"message\":\"The engine failed.\"}";

    private final ApiStyle style;
    private final ResponseObject response;
    private final StringBuilder text = new StringBuilder();
    private @Nullable String status;
    private @Nullable String whole;
    private int sequenceNumber;

    public ResponseEvents(ApiStyle style, ResponseObject response) {
        this.style = style;
        this.response = response;
    }

    @Override
    public String first() {
        String begun = response.json("in_progress", null, null);
        return withResponse("response.created", begun) + withResponse("response.in_progress", begun);
    }

    @Override
    public @Nullable String opening(int index) {
        return event("response.output_item.added", "\"item\":" + response.emptyMessage() + ",\"output_index\":0")
                + event(
                        "response.content_part.added",
                        "\"content_index\":0," + item() + ",\"output_index\":0,\"part\":" + response.part(""));
    }

    @Override
    public String token(int index, String token) {
        text.append(token);
        StringBuilder out = new StringBuilder("\"content_index\":0,\"delta\":");
        return event(
                "response.output_text.delta",
                JsonText.append(out, token) + "," + item() + ",\"logprobs\":[],\"output_index\":0");
    }

    @Override
    public String lastToken(int index, String token, @Nullable String finishReason) {
        String delta = token.isEmpty() ? "" : token(index, token);
        status = statusOf(finishReason);
        StringBuilder all = new StringBuilder("\"content_index\":0,");
        all.append(item()).append(",\"logprobs\":[],\"output_index\":0,\"text\":");
        JsonText.append(all, text.toString());
        return delta
                + event("response.output_text.done", all.toString())
                + event(
                        "response.content_part.done",
                        "\"content_index\":0," + item() + ",\"output_index\":0,\"part\":"
                                + response.part(text.toString()))
                + event(
                        "response.output_item.done",
                        "\"item\":" + response.message(text.toString(), "completed") + ",\"output_index\":0");
    }

    /** It is part of the end. */
    @Override
    public String usage(Totals totals) {
        return "";
    }

    @Override
    public String done(Totals totals) {
        whole = response.json(status, text.toString(), totals);
        return withResponse("response.completed", whole);
    }

    /** vLLM's error event, and SGLang's failed response. */
    @Override
    public String failed(ErrorReply reply) {
        if (style == ApiStyle.SGLANG) {
            return withResponse("response.failed", response.json("failed", null, null));
        }
        StringBuilder out = new StringBuilder("\"code\":\"");
        out.append(reply.status()).append("\",\"message\":");
        return event("error", JsonText.append(out, reply.message()) + ",\"param\":null");
    }

    @Override
    public @Nullable String kept() {
        return whole;
    }

    /** What a finish_reason, or a status of a response that is made in the background, is called. */
    public static @Nullable String statusOf(@Nullable String finishReason) {
        return switch (finishReason) {
            case null -> null;
            case "length" -> "completed";
            case "abort" -> "cancelled";
            default -> finishReason;
        };
    }

    private String item() {
        return JsonText.append(new StringBuilder("\"item_id\":"), response.itemId())
                .toString();
    }

    private String withResponse(String name, String json) {
        return event(name, "\"response\":" + json);
    }

    private String event(String name, String fields) {
        return ServerSentEvent.of(
                name, "{" + fields + ",\"sequence_number\":" + sequenceNumber++ + ",\"type\":\"" + name + "\"}");
    }
}
