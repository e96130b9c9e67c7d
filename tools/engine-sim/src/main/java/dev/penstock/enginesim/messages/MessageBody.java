package dev.penstock.enginesim.messages;

import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.JsonText;
import org.jspecify.annotations.Nullable;

/** What {@code /v1/messages} answers as a whole, and its errors. Pure. */
public final class MessageBody {
    private MessageBody() {}

    public static String whole(
            ApiStyle style,
            String id,
            String model,
            String text,
            int promptTokens,
            int outputTokens,
            String finishReason) {
        StringBuilder out = new StringBuilder(512).append("{\"id\":");
        JsonText.append(out, id).append(",\"type\":\"message\",\"role\":\"assistant\",\"content\":[");
        if (!text.isEmpty()) {
            JsonText.append(out.append("{\"type\":\"text\",\"text\":"), text).append('}');
        }
        JsonText.append(out.append("],\"model\":"), model);
        String reason = stopReason(finishReason);
        // Both engines leave nulls out of whole answers.
        if (reason != null) {
            out.append(",\"stop_reason\":\"").append(reason).append('"');
        }
        out.append(",\"usage\":");
        return usage(out, style, promptTokens, outputTokens).append('}').toString();
    }

    public static String tokenCount(ApiStyle style, int tokens) {
        return style == ApiStyle.VLLM
                ? "{\"input_tokens\":" + tokens + ",\"context_management\":{\"original_input_tokens\":" + tokens + "}}"
                : "{\"input_tokens\":" + tokens + "}";
    }

    /** vLLM keeps its own type in Anthropic's envelope; SGLang has Anthropic's types. */
    public static ErrorReply error(ApiStyle style, ErrorReply reply) {
        String type = style == ApiStyle.VLLM
                ? reply.type()
                : switch (reply.status()) {
                    case 400, 405, 422 -> "invalid_request_error";
                    case 401 -> "authentication_error";
                    case 404 -> "not_found_error";
                    case 429 -> "rate_limit_error";
                    case 503, 529 -> "overloaded_error";
                    default -> "internal_error";
                };
        StringBuilder out = new StringBuilder("{\"type\":\"error\",\"error\":{\"type\":");
        JsonText.append(out, type).append(",\"message\":");
        return reply.in(JsonText.append(out, reply.message()).append("}}").toString());
    }

    static StringBuilder usage(StringBuilder out, ApiStyle style, int inputTokens, int outputTokens) {
        out.append("{\"input_tokens\":")
                .append(inputTokens)
                .append(",\"output_tokens\":")
                .append(outputTokens);
        return out.append(style == ApiStyle.VLLM ? "}" : ",\"cache_read_input_tokens\":0}");
    }

    static @Nullable String stopReason(@Nullable String finishReason) {
        return "length".equals(finishReason) ? "max_tokens" : null;
    }

    static StringBuilder appendReason(StringBuilder out, @Nullable String reason) {
        return reason == null
                ? out.append("null")
                : out.append('"').append(reason).append('"');
    }
}
