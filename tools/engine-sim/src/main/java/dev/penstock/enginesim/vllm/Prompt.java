package dev.penstock.enginesim.vllm;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One input sequence.
 *
 * @param tokens as if a token were four bytes of text, at least 1; token ids count as they are
 */
record Prompt(String text, int tokens) {
    private static final int BYTES_PER_TOKEN = 4;
    /** A 512 x 512 image at patch 16, merge 2. Its base64 text says little about its tokens. */
    private static final int IMAGE_TOKENS = 256;

    /** {@code prompt} or {@code input}: a string, a list of strings, a list of token ids, or a list of such lists. */
    static List<Prompt> list(JsonNode input) {
        if (!input.isArray()) {
            return List.of(ofText(input.asText()));
        }
        if (!input.isEmpty() && input.get(0).isNumber()) {
            return List.of(ofIds(input));
        }
        List<Prompt> prompts = new ArrayList<>();
        for (JsonNode item : input) {
            prompts.add(item.isArray() ? ofIds(item) : ofText(item.asText()));
        }
        return prompts;
    }

    /** A conversation is one prompt: the text of all messages. */
    static Prompt ofMessages(JsonNode messages) {
        StringBuilder text = new StringBuilder();
        int images = 0;
        for (JsonNode message : messages) {
            JsonNode content = message.path("content");
            if (content.isArray()) {
                for (JsonNode part : content) {
                    text.append(part.path("text").asText(""));
                    images += part.path("type").asText("").startsWith("image") ? 1 : 0;
                }
            } else {
                text.append(content.asText(""));
            }
        }
        Prompt words = ofText(text.toString());
        return new Prompt(words.text, words.tokens + images * IMAGE_TOKENS);
    }

    private static Prompt ofText(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        return new Prompt(text, Math.max(1, bytes / BYTES_PER_TOKEN));
    }

    private static Prompt ofIds(JsonNode ids) {
        return new Prompt(ids.toString(), Math.max(1, ids.size()));
    }
}
