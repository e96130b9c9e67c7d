package dev.penstock.enginesim.media;

import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.StreamEvents;
import org.jspecify.annotations.Nullable;

/** The chunks of a transcription or translation: chat's framing around a smaller choice. */
public final class TranscriptionEvents implements StreamEvents {
    private final ApiStyle style;
    private final String prefix;

    public TranscriptionEvents(ApiStyle style, Endpoint endpoint, String id, String model, long createdSeconds) {
        this.style = style;
        StringBuilder out = new StringBuilder("data: {\"id\":");
        JsonText.append(out, id)
                .append(",\"object\":\"")
                .append(endpoint == Endpoint.TRANSLATIONS ? "translation.chunk" : "transcription.chunk")
                .append("\",\"created\":")
                .append(createdSeconds)
                .append(",\"model\":");
        this.prefix = JsonText.append(out, model).append(",\"choices\":[").toString();
    }

    @Override
    public @Nullable String opening(int index) {
        return null;
    }

    @Override
    public String token(int index, String text) {
        return chunk(text, null);
    }

    @Override
    public String lastToken(int index, String text, @Nullable String finishReason) {
        // Speech models end where the sound does.
        return chunk(text, "length".equals(finishReason) ? "stop" : finishReason);
    }

    @Override
    public String usage(Totals totals) {
        return prefix + "],\"usage\":{\"prompt_tokens\":" + totals.promptTokens() + ",\"total_tokens\":"
                + (totals.promptTokens() + totals.outputTokens()) + ",\"completion_tokens\":" + totals.outputTokens()
                + "}}\n\n";
    }

    private String chunk(String text, @Nullable String finishReason) {
        StringBuilder out = new StringBuilder(prefix).append("{\"delta\":{\"content\":");
        JsonText.append(out, text)
                .append("},\"finish_reason\":")
                .append(finishReason == null ? "null" : "\"" + finishReason + "\"");
        return out.append(style == ApiStyle.VLLM ? ",\"stop_reason\":null}]}\n\n" : "}],\"usage\":null}\n\n")
                .toString();
    }
}
