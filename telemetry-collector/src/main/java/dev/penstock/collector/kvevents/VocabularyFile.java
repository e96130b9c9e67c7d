package dev.penstock.collector.kvevents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.penstock.core.kvevents.TokenTable;
import dev.penstock.core.kvevents.Vocabulary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A Hugging Face {@code tokenizer.json} of a byte-level BPE (GPT-2, Llama 3, Qwen, DeepSeek and others): the texts of
 * {@code model.vocab} write each byte as one printable character; those of {@code added_tokens} are what they say. Merges
 * are not needed. The token that {@code post_processor} puts before each prompt is told apart (Llama 3 has one, Qwen none). A
 * vocabulary that writes bytes otherwise (SentencePiece: Llama 2, Mistral 7B) is refused.
 */
final class VocabularyFile {
    static final long MOST_BYTES = 128L << 20;
    static final int MOST_TOKENS = 2_000_000;

    private static final int[] CHARACTER_TO_BYTE = characterToByte();

    private final List<byte[]> tokenToBytes = new ArrayList<>();
    private final Map<String, Integer> addedToId = new HashMap<>();
    private String beginning = "";

    private VocabularyFile() {}

    static Vocabulary read(Path file) throws IOException {
        long size = Files.size(file);
        if (size > MOST_BYTES) throw new IOException(file + ": " + size + " bytes, expected at most " + MOST_BYTES);
        VocabularyFile vocabulary = new VocabularyFile();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            vocabulary.read(json);
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        if (vocabulary.tokenToBytes.isEmpty())
            throw new IOException(file + ": no model.vocab, expected a tokenizer.json");
        int before = vocabulary.addedToId.getOrDefault(vocabulary.beginning, Vocabulary.UNKNOWN);
        return new TokenTable(vocabulary.tokenToBytes, before);
    }

    private void read(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) throw new IOException("expected a JSON object");
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("model") && value == JsonToken.START_OBJECT) model(json);
            else if (name.equals("post_processor") && value == JsonToken.START_OBJECT) processor(json);
            else if (name.equals("added_tokens") && value == JsonToken.START_ARRAY) addedTokens(json);
            else json.skipChildren();
        }
    }

    private void model(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("type")
                    && value == JsonToken.VALUE_STRING
                    && !json.getText().equals("BPE")) {
                throw new IOException("model.type: " + json.getText() + ", expected BPE");
            }
            if (name.equals("vocab") && value == JsonToken.START_OBJECT) vocab(json);
            else json.skipChildren();
        }
    }

    private void vocab(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String text = json.currentName();
            json.nextToken();
            // a token that was added is there twice at times, and is what it says
            int token = id(json);
            if (!given(token)) put(token, bytes(text));
        }
    }

    private void addedTokens(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.START_OBJECT) {
            int token = -1;
            String content = null;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("id")) token = id(json);
                else if (name.equals("content") && value == JsonToken.VALUE_STRING) content = json.getText();
                else json.skipChildren();
            }
            if (token >= 0 && content != null) {
                put(token, content.getBytes(StandardCharsets.UTF_8));
                addedToId.put(content, token);
            }
        }
    }

    /** One, or in {@code processors} a list of them. */
    private void processor(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("processors") && value == JsonToken.START_ARRAY) {
                while (json.nextToken() == JsonToken.START_OBJECT) processor(json);
            } else if (name.equals("single") && value == JsonToken.START_ARRAY) {
                single(json);
            } else {
                json.skipChildren();
            }
        }
    }

    /** {@code [{"SpecialToken": {"id": "<s>"}}, {"Sequence": ...}, ...]} */
    private void single(JsonParser json) throws IOException {
        for (int part = 0; json.nextToken() != JsonToken.END_ARRAY; part++) {
            if (json.currentToken() == null) throw new IOException("post_processor.single does not end");
            if (json.currentToken() != JsonToken.START_OBJECT) continue;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean before = part == 0 && json.currentName().equals("SpecialToken");
                if (json.nextToken() == JsonToken.START_OBJECT && before) special(json);
                else json.skipChildren();
            }
        }
    }

    private void special(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_STRING && name.equals("id")) beginning = json.getText();
            else json.skipChildren();
        }
    }

    private static int id(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
                || json.getLongValue() < 0
                || json.getLongValue() >= MOST_TOKENS) {
            throw new IOException("token id " + json.getText() + ", expected 0 to " + (MOST_TOKENS - 1));
        }
        return json.getIntValue();
    }

    private boolean given(int token) {
        return token < tokenToBytes.size() && tokenToBytes.get(token).length > 0;
    }

    private void put(int token, byte[] bytes) {
        while (tokenToBytes.size() <= token) tokenToBytes.add(new byte[0]);
        tokenToBytes.set(token, bytes);
    }

    /** A text that is not written in the 256 characters was added, and is what it says. */
    private static byte[] bytes(String text) throws IOException {
        byte[] bytes = new byte[text.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = text.charAt(i);
            int value = c < CHARACTER_TO_BYTE.length ? CHARACTER_TO_BYTE[c] : -1;
            if (value < 0) {
                if (c == '\u2581')
                    throw new IOException("token '" + text + "', expected the vocabulary of a byte-level BPE");
                return text.getBytes(StandardCharsets.UTF_8);
            }
            bytes[i] = (byte) value;
        }
        return bytes;
    }

    /** GPT-2's: printable bytes are themselves, the n-th other one is the character 256 + n. */
    private static int[] characterToByte() {
        int[] bytes = new int[512];
        Arrays.fill(bytes, -1);
        int other = 256;
        for (int b = 0; b < 256; b++) {
            boolean printable = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
            bytes[printable ? b : other++] = b;
        }
        return bytes;
    }
}
