package dev.penstock.enginesim.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.StreamEvents.Totals;
import org.jspecify.annotations.Nullable;

/** The response object of {@code /v1/responses}, in each engine's order of fields. Pure. */
public final class ResponseObject {
    private final ApiStyle style;
    private final GenerationRequest request;
    private final String id;
    private final long createdSeconds;

    public ResponseObject(ApiStyle style, GenerationRequest request, String id, long createdSeconds) {
        this.style = style;
        this.request = request;
        this.id = id;
        this.createdSeconds = createdSeconds;
    }

    /**
     * The object.
     *
     * @param status null: the fault {@code drop-finish}
     * @param text of its one message; null = there is none yet
     * @param usage null = not known yet
     */
    public String json(@Nullable String status, @Nullable String text, @Nullable Totals usage) {
        String output = text == null ? "[]" : "[" + message(text, "completed") + "]";
        StringBuilder out = new StringBuilder(768);
        return (style == ApiStyle.VLLM ? vllm(out, status, output, usage) : sglang(out, status, output, usage))
                .toString();
    }

    String itemId() {
        return "msg_" + id.substring(id.indexOf('_') + 1);
    }

    /** An output item. */
    String message(String text, String status) {
        StringBuilder out = new StringBuilder("{\"id\":");
        return JsonText.append(out, itemId())
                .append(",\"content\":[")
                .append(part(text))
                .append("],\"role\":\"assistant\",\"status\":\"")
                .append(status)
                .append("\",\"type\":\"message\"}")
                .toString();
    }

    /** An output item before its first part. */
    String emptyMessage() {
        return JsonText.append(new StringBuilder("{\"id\":"), itemId())
                .append(",\"content\":[],\"role\":\"assistant\",\"status\":\"in_progress\",\"type\":\"message\"}")
                .toString();
    }

    String part(String text) {
        return JsonText.append(new StringBuilder("{\"annotations\":[],\"text\":"), text)
                .append(",\"type\":\"output_text\",\"logprobs\":null}")
                .toString();
    }

    private StringBuilder vllm(StringBuilder out, @Nullable String status, String output, @Nullable Totals usage) {
        JsonText.append(out.append("{\"id\":"), id)
                .append(",\"created_at\":")
                .append(createdSeconds)
                .append(",\"incomplete_details\":null,\"instructions\":");
        asked(out, "instructions", "null").append(",\"metadata\":");
        asked(out, "metadata", "null").append(",\"model\":");
        JsonText.append(out, request.model())
                .append(",\"object\":\"response\",\"output\":")
                .append(output)
                .append(",\"parallel_tool_calls\":true,\"temperature\":");
        asked(out, "temperature", "1.0").append(",\"tool_choice\":\"auto\",\"tools\":[],\"top_p\":");
        asked(out, "top_p", "1.0").append(",\"background\":");
        asked(out, "background", "false")
                .append(",\"max_output_tokens\":")
                .append(request.outputTokens())
                .append(",\"max_tool_calls\":null,\"previous_response_id\":");
        asked(out, "previous_response_id", "null")
                .append(",\"prompt\":null,\"reasoning\":null,\"service_tier\":\"auto\",\"status\":");
        status(out, status).append(",\"text\":null,\"top_logprobs\":null,\"truncation\":\"disabled\",\"usage\":");
        usage(out, usage).append(",\"user\":");
        return asked(out, "user", "null").append(",\"input_messages\":null,\"output_messages\":null}");
    }

    private StringBuilder sglang(StringBuilder out, @Nullable String status, String output, @Nullable Totals usage) {
        JsonText.append(out.append("{\"id\":"), id)
                .append(",\"object\":\"response\",\"created_at\":")
                .append(createdSeconds)
                .append(",\"model\":");
        JsonText.append(out, request.model())
                .append(",\"output\":")
                .append(output)
                .append(",\"status\":");
        status(out, status).append(",\"usage\":");
        usage(out, usage)
                .append(",\"parallel_tool_calls\":true,\"tool_choice\":\"auto\",\"tools\":[],\"error\":")
                .append("failed".equals(status) ? ResponseEvents.FAILURE : "null")
                .append(",\"incomplete_details\":null,\"instructions\":");
        asked(out, "instructions", "null")
                .append(",\"max_output_tokens\":")
                .append(request.outputTokens())
                .append(",\"previous_response_id\":");
        asked(out, "previous_response_id", "null")
                .append(",\"reasoning\":{\"effort\":null,\"summary\":null},\"store\":");
        asked(out, "store", "true").append(",\"temperature\":");
        asked(out, "temperature", "1.0").append(",\"text\":{\"format\":{\"type\":\"text\"}},\"top_p\":");
        asked(out, "top_p", "1.0").append(",\"truncation\":\"disabled\",\"user\":");
        asked(out, "user", "null").append(",\"metadata\":");
        return asked(out, "metadata", "{}").append('}');
    }

    private StringBuilder usage(StringBuilder out, @Nullable Totals usage) {
        if (usage == null) {
            return out.append("null");
        }
        out.append("{\"input_tokens\":")
                .append(usage.promptTokens())
                .append(",\"input_tokens_details\":{\"cached_tokens\":")
                .append(usage.cachedTokens())
                .append(style == ApiStyle.VLLM ? ",\"input_tokens_per_turn\":[],\"cached_tokens_per_turn\":[]}" : "}")
                .append(",\"output_tokens\":")
                .append(usage.outputTokens())
                .append(",\"output_tokens_details\":{\"reasoning_tokens\":0")
                .append(
                        style == ApiStyle.VLLM
                                ? ",\"tool_output_tokens\":0,\"output_tokens_per_turn\":[],"
                                        + "\"tool_output_tokens_per_turn\":[]}"
                                : "}")
                .append(",\"total_tokens\":")
                .append(usage.promptTokens() + usage.outputTokens());
        return out.append('}');
    }

    private static StringBuilder status(StringBuilder out, @Nullable String status) {
        return status == null
                ? out.append("null")
                : out.append('"').append(status).append('"');
    }

    /** What the request said, as it said it. */
    private StringBuilder asked(StringBuilder out, String field, String otherwise) {
        JsonNode value = request.body().path(field);
        return out.append(value.isMissingNode() || value.isNull() ? otherwise : value.toString());
    }
}
