package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Embedding;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.Words;

/** Answers that are not streamed, as JSON text. */
final class VllmBodies {
    private VllmBodies() {}

    static String generation(
            GenerationRequest request, Words words, Dialect.Answered answered, int tokens, String finishReason) {
        boolean chat = request.endpoint() == Endpoint.CHAT;
        StringBuilder out = head(answered, chat ? "chat.completion" : "text_completion", request.model());
        out.append(",\"choices\":[");
        for (int i = 0; i < request.sequences(); i++) {
            String text = words.text(words.key(request.promptOf(i).text(), i % request.choices()), tokens);
            out.append(i == 0 ? "" : ",").append("{\"index\":").append(i);
            if (chat) {
                JsonText.append(out.append(",\"message\":{\"role\":\"assistant\",\"content\":"), text)
                        .append(",\"refusal\":null,\"annotations\":null,\"audio\":null,\"function_call\":null,"
                                + "\"tool_calls\":[],\"reasoning\":null}");
            } else {
                JsonText.append(out.append(",\"text\":"), text);
            }
            out.append(",\"logprobs\":null,\"finish_reason\":\"")
                    .append(finishReason)
                    .append("\",\"stop_reason\":null}");
        }
        out.append("],\"service_tier\":null,\"system_fingerprint\":\"")
                .append(VllmVersion.FINGERPRINT)
                .append("\",\"usage\":");
        Usage.append(out, request.promptTokens(), request.sequences() * tokens);
        return Usage.appendDetails(out, answered.cachedTokens())
                .append("},\"kv_transfer_params\":null}")
                .toString();
    }

    static String embeddings(GenerationRequest request, Words words, Dialect.Answered answered) {
        StringBuilder out = head(answered, "list", request.model()).append(",\"data\":[");
        for (int i = 0; i < request.prompts().size(); i++) {
            Embedding embedding =
                    Embedding.of(words.key(request.prompts().get(i).text(), 0), request.dimensions());
            out.append(i == 0 ? "" : ",")
                    .append("{\"index\":")
                    .append(i)
                    .append(",\"object\":\"embedding\",\"embedding\":");
            embedding.append(out, request.base64());
            out.append('}');
        }
        out.append("],\"usage\":");
        return Usage.append(out, request.promptTokens(), 0)
                .append(",\"prompt_tokens_details\":null}}")
                .toString();
    }

    private static StringBuilder head(Dialect.Answered answered, String object, String model) {
        StringBuilder out = new StringBuilder(1024).append("{\"id\":");
        JsonText.append(out, answered.id())
                .append(",\"object\":\"")
                .append(object)
                .append("\",\"created\":")
                .append(answered.createdSeconds())
                .append(",\"model\":");
        return JsonText.append(out, model);
    }
}
