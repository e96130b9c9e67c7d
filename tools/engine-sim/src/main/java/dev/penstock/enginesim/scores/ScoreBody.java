package dev.penstock.enginesim.scores;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Embedding;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.Prompt;
import dev.penstock.enginesim.openai.Words;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Answers of reranking, scoring, classification and pooling, in each engine's shape. A score depends on its text alone. Pure. */
public final class ScoreBody {
    private static final int POOLED_DIMENSIONS = 16;

    private final ApiStyle style;
    private final GenerationRequest request;
    private final Words words;
    private final Dialect.Answered answered;

    public ScoreBody(ApiStyle style, GenerationRequest request, Words words, Dialect.Answered answered) {
        this.style = style;
        this.request = request;
        this.words = words;
        this.answered = answered;
    }

    /** The best first, no more than {@code top_n}. SGLang answers a bare list. */
    public String rerank() {
        JsonNode documents = request.body().path("documents");
        int asked = request.body().path("top_n").asInt(0);
        List<Integer> best = IntStream.range(0, request.prompts().size())
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> -score(i)))
                .limit(asked > 0 ? asked : request.prompts().size())
                .toList();
        StringBuilder out = new StringBuilder(512);
        if (style == ApiStyle.VLLM) {
            JsonText.append(out.append("{\"id\":"), answered.id()).append(",\"model\":");
            JsonText.append(out, request.model())
                    .append(",\"usage\":{\"prompt_tokens\":")
                    .append(request.promptTokens())
                    .append(",\"total_tokens\":")
                    .append(request.promptTokens())
                    .append("},\"results\":");
        }
        out.append('[');
        for (int place = 0; place < best.size(); place++) {
            out.append(place == 0 ? "" : ",");
            ranked(out, best.get(place), documents.path(best.get(place)));
        }
        return out.append(style == ApiStyle.VLLM ? "]}" : "]").toString();
    }

    public String scores() {
        if (style == ApiStyle.SGLANG) {
            return sglangScores();
        }
        StringBuilder out = head("list").append(",\"data\":[");
        for (int i = 0; i < request.prompts().size(); i++) {
            out.append(i == 0 ? "" : ",")
                    .append("{\"index\":")
                    .append(i)
                    .append(",\"object\":\"score\",\"score\":")
                    .append(score(i))
                    .append('}');
        }
        return usage(out.append(']')).append('}').toString();
    }

    public String classes() {
        StringBuilder out = head("list").append(",\"data\":[");
        for (int i = 0; i < request.prompts().size(); i++) {
            double score = score(i);
            out.append(i == 0 ? "" : ",")
                    .append("{\"index\":")
                    .append(i)
                    .append(",\"label\":\"LABEL_")
                    .append(score < 0.5 ? 0 : 1)
                    .append("\",\"probs\":[")
                    .append(1 - score)
                    .append(',')
                    .append(score)
                    .append("],\"num_classes\":2}");
        }
        return usage(out.append(']')).append('}').toString();
    }

    /** A vector per prompt, shorter than a real one's per token. */
    public String pooled() {
        StringBuilder out = head("list").append(",\"data\":[");
        for (int i = 0; i < request.prompts().size(); i++) {
            out.append(i == 0 ? "" : ",").append("{\"index\":").append(i).append(",\"object\":\"pooling\",\"data\":");
            Embedding.of(key(i), POOLED_DIMENSIONS).append(out, request.base64());
            out.append('}');
        }
        return usage(out.append(']')).append('}').toString();
    }

    private void ranked(StringBuilder out, int index, JsonNode document) {
        String text = document.isObject() ? document.path("text").asText("") : document.asText("");
        if (style == ApiStyle.SGLANG) {
            out.append("{\"score\":").append(score(index));
            if (request.body().path("return_documents").asBoolean(true)) {
                JsonText.append(out.append(",\"document\":"), text);
            }
            out.append(",\"index\":").append(index).append(",\"meta_info\":{\"id\":");
            JsonText.append(out, answered.id())
                    .append(",\"prompt_tokens\":")
                    .append(request.prompts().get(index).tokens())
                    .append("}}");
            return;
        }
        out.append("{\"index\":").append(index).append(",\"document\":{\"text\":");
        JsonText.append(out, text)
                .append(",\"multi_modal\":null},\"relevance_score\":")
                .append(score(index))
                .append('}');
    }

    private String sglangScores() {
        int labels = Math.max(1, request.body().path("label_token_ids").size());
        StringBuilder out = new StringBuilder("{\"scores\":[");
        for (int i = 0; i < request.prompts().size(); i++) {
            out.append(i == 0 ? "[" : ",[");
            for (int label = 0; label < labels; label++) {
                out.append(label == 0 ? "" : ",").append(score(i) / (label + 1));
            }
            out.append(']');
        }
        JsonText.append(out.append("],\"model\":"), request.model());
        return out.append(",\"usage\":null,\"object\":\"scoring\"}").toString();
    }

    private StringBuilder head(String object) {
        StringBuilder out = new StringBuilder(256).append("{\"id\":");
        JsonText.append(out, answered.id())
                .append(",\"object\":\"")
                .append(object)
                .append("\",\"created\":")
                .append(answered.createdSeconds())
                .append(",\"model\":");
        return JsonText.append(out, request.model());
    }

    private StringBuilder usage(StringBuilder out) {
        return out.append(",\"usage\":{\"prompt_tokens\":")
                .append(request.promptTokens())
                .append(",\"total_tokens\":")
                .append(request.promptTokens())
                .append(",\"completion_tokens\":0,\"prompt_tokens_details\":null}");
    }

    /** From 0 to 1. */
    private double score(int index) {
        return Math.rint(Embedding.unit(key(index)) * 1e6) / 1e6;
    }

    private long key(int index) {
        Prompt prompt = request.prompts().get(index);
        return words.key(prompt.text(), 0);
    }
}
