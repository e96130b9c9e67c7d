package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Embedding;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.Words;

/** Answers that are not streamed, as JSON text. */
final class SglangBodies {
    private SglangBodies() {}

    static String generation(
            GenerationRequest request, Words words, Dialect.Answered answered, int tokens, String finishReason) {
        boolean chat = request.endpoint() == Endpoint.CHAT;
        StringBuilder out = new StringBuilder(1024).append("{\"id\":");
        JsonText.append(out, answered.id())
                .append(",\"object\":\"")
                .append(chat ? "chat.completion" : "text_completion")
                .append("\",\"created\":")
                .append(answered.createdSeconds())
                .append(",\"model\":");
        JsonText.append(out, request.model()).append(",\"choices\":[");
        for (int i = 0; i < request.sequences(); i++) {
            String text = words.text(words.key(request.promptOf(i).text(), i % request.choices()), tokens);
            out.append(i == 0 ? "" : ",").append("{\"index\":").append(i);
            if (chat) {
                JsonText.append(out.append(",\"message\":{\"role\":\"assistant\",\"content\":"), text)
                        .append(",\"reasoning_content\":null,\"tool_calls\":null}");
            } else {
                JsonText.append(out.append(",\"text\":"), text);
            }
            out.append(",\"logprobs\":null,\"finish_reason\":\"")
                    .append(finishReason)
                    .append("\",\"matched_stop\":null}");
        }
        out.append("],\"usage\":");
        return SglangUsage.append(out, request.promptTokens(), request.sequences() * tokens, answered.cachedTokens())
                .append(",\"metadata\":{\"weight_version\":\"default\"}}")
                .toString();
    }

    static String embeddings(GenerationRequest request, Words words, Dialect.Answered answered) {
        StringBuilder out = new StringBuilder(1024).append("{\"data\":[");
        for (int i = 0; i < request.prompts().size(); i++) {
            out.append(i == 0 ? "" : ",").append("{\"embedding\":");
            Embedding.of(words.key(request.prompts().get(i).text(), 0), request.dimensions())
                    .append(out, request.base64());
            out.append(",\"index\":").append(i).append(",\"object\":\"embedding\"}");
        }
        JsonText.append(out.append("],\"model\":"), request.model()).append(",\"object\":\"list\",\"usage\":");
        return SglangUsage.append(out, request.promptTokens(), 0, answered.cachedTokens())
                .append('}')
                .toString();
    }
}
