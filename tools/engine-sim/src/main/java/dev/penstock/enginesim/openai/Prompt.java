package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.enginesim.step.BlockHashes;
import dev.penstock.enginesim.step.PromptKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One input sequence.
 *
 * @param text what the answer's words depend on
 * @param blocks its tokens and their block hashes: a token is four bytes of text, or the id that was given
 * @param imageTokens how many of them stand for images
 */
public record Prompt(String text, BlockHashes blocks, int imageTokens) {
    private static final int BYTES_PER_TOKEN = 4;
    /** 20 ms of sound as 16-bit samples at 16 kHz, which is what a speech model's encoder makes a frame of. */
    private static final int BYTES_PER_FILE_TOKEN = 640;
    /** 30 s of sound: longer files are read in turns. */
    private static final int MAX_FILE_TOKENS = 1500;
    /** A 512 x 512 image at patch 16, merge 2. Its base64 text says little about its tokens. */
    private static final int IMAGE_TOKENS = 256;

    /** {@code prompt} or {@code input}: a string, a list of strings, a list of token ids, or a list of such lists. */
    static List<Prompt> list(JsonNode input, PromptKey key) {
        if (!input.isArray()) {
            return List.of(ofText(input.asText(), key));
        }
        if (!input.isEmpty() && input.get(0).isNumber()) {
            return List.of(ofIds(input, key));
        }
        List<Prompt> prompts = new ArrayList<>();
        for (JsonNode item : input) {
            prompts.add(
                    item.isArray()
                            ? ofIds(item, key)
                            : item.isObject() ? ofContent(item.path("content"), key) : ofText(item.asText(), key));
        }
        return prompts;
    }

    /** A form: its files count by their bytes and hash, under {@code files}. */
    static Prompt ofFile(JsonNode form, PromptKey key) {
        StringBuilder text = new StringBuilder(form.path("prompt").asText(""));
        long bytes = 0;
        for (JsonNode file : form.path("files")) {
            text.append(file.path("sha256").asText());
            bytes += file.path("bytes").asLong();
        }
        int tokens = (int) Math.clamp(bytes / BYTES_PER_FILE_TOKEN, 1, MAX_FILE_TOKENS);
        return new Prompt(text.toString(), BlockHashes.of(key, 0, new int[tokens]), 0);
    }

    /** A conversation is one prompt: the text of all messages. */
    static Prompt ofMessages(JsonNode messages, PromptKey key) {
        Collector collector = new Collector();
        for (JsonNode message : messages) {
            collector.add(message.path("content"));
        }
        return collector.prompt(key);
    }

    /** How many tokens, at least 1. */
    public int tokens() {
        return blocks.tokens();
    }

    private static Prompt ofContent(JsonNode content, PromptKey key) {
        Collector collector = new Collector();
        collector.add(content);
        return collector.prompt(key);
    }

    static Prompt ofText(String text, PromptKey key) {
        return new Prompt(text, BlockHashes.of(key, Integer.MAX_VALUE, tokens(text)), 0);
    }

    private static Prompt ofIds(JsonNode ids, PromptKey key) {
        int[] tokens = new int[Math.max(1, ids.size())];
        for (int i = 0; i < ids.size(); i++) {
            tokens[i] = ids.get(i).asInt();
        }
        return new Prompt(ids.toString(), BlockHashes.of(key, Integer.MAX_VALUE, tokens), 0);
    }

    /** The ids that stand for a text. */
    public static int[] tokens(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] tokens = new int[Math.max(1, bytes.length / BYTES_PER_TOKEN)];
        for (int i = 0; i < Math.min(bytes.length, tokens.length * BYTES_PER_TOKEN); i++) {
            tokens[i / BYTES_PER_TOKEN] = tokens[i / BYTES_PER_TOKEN] << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return tokens;
    }

    /** Text and images in their order. */
    private static final class Collector {
        private final StringBuilder text = new StringBuilder();
        private int tokenizedChars;
        private int[] tokens = {};
        private int imageTokens;
        /** Before the first image. */
        private int textTokens = Integer.MAX_VALUE;

        void add(JsonNode content) {
            if (!content.isArray()) {
                text.append(content.asText(""));
                return;
            }
            for (JsonNode part : content) {
                text.append(part.path("text").asText(""));
                if (part.path("type").asText("").startsWith("image")) {
                    addImage(part);
                }
            }
        }

        Prompt prompt(PromptKey key) {
            if (tokenizedChars < text.length() || tokens.length == 0) {
                append(tokens(text.substring(tokenizedChars)));
            }
            return new Prompt(text.toString(), BlockHashes.of(key, textTokens, tokens), imageTokens);
        }

        private void addImage(JsonNode part) {
            if (tokenizedChars < text.length()) {
                append(tokens(text.substring(tokenizedChars)));
                tokenizedChars = text.length();
            }
            textTokens = Math.min(textTokens, tokens.length);
            int[] image = new int[IMAGE_TOKENS];
            Arrays.fill(image, part.toString().hashCode());
            append(image);
            imageTokens += IMAGE_TOKENS;
        }

        private void append(int[] more) {
            int length = tokens.length;
            tokens = Arrays.copyOf(tokens, length + more.length);
            System.arraycopy(more, 0, tokens, length, more.length);
        }
    }
}
