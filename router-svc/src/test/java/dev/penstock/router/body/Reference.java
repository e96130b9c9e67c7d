package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The same answers from Jackson and a tree, the plain way. */
final class Reference {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private sealed interface Node {}

    private record Text(String text) implements Node {}

    private record Scalar(JsonToken token, String lexeme) implements Node {}

    private record Elements(List<Node> nodes) implements Node {}

    private record Fields(List<Map.Entry<String, Node>> entries) implements Node {}

    private record Located(Node node, long start, long end) {}

    private final Map<String, Located> fields = new LinkedHashMap<>();

    /** Whether it is one JSON object in UTF-8. */
    static boolean valid(byte[] body) {
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException e) {
            return false;
        }
        if (text.startsWith("\ufeff")) text = text.substring(1);
        // Jackson's parser of characters takes U+6C34 for the digit 4 in an escape; which character it is matters
        // nowhere else.
        String safe = text.replaceAll("[^\\x00-\\x7f]", "\u00ff");
        try (JsonParser parser = JSON.createParser(safe)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) return false;
            parser.skipChildren();
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    static Reference of(byte[] valid) throws IOException {
        Reference reference = new Reference();
        try (JsonParser parser = JSON.createParser(valid)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                parser.nextToken();
                long start = parser.currentTokenLocation().getByteOffset();
                Node node = node(parser);
                long end = parser.currentLocation().getByteOffset();
                // It stands where it stood last.
                reference.fields.remove(key);
                reference.fields.put(key, new Located(node, start, end));
            }
        }
        return reference;
    }

    private static Node node(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> new Text(parser.getText());
            case START_ARRAY -> {
                List<Node> nodes = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) nodes.add(node(parser));
                yield new Elements(nodes);
            }
            case START_OBJECT -> {
                List<Map.Entry<String, Node>> entries = new ArrayList<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String key = parser.currentName();
                    parser.nextToken();
                    entries.add(Map.entry(key, node(parser)));
                }
                yield new Fields(entries);
            }
            default -> new Scalar(parser.currentToken(), parser.getText());
        };
    }

    /** Null if the field is not there, or no string. */
    @Nullable
    String text(String field) {
        return fields.get(field) instanceof Located(Text(String text), long start, long end) ? text : null;
    }

    long start(String field) {
        Located located = fields.get(field);
        return located == null ? -1 : located.start;
    }

    long end(String field) {
        Located located = fields.get(field);
        return located == null ? -1 : located.end;
    }

    /** True, false, null for what is absent or null, else an exception. */
    boolean stream() {
        return switch (token("stream")) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE, VALUE_NULL -> false;
            default -> throw new IllegalStateException("stream");
        };
    }

    boolean has(String field) {
        return token(field) != JsonToken.VALUE_NULL;
    }

    private JsonToken token(String field) {
        Located located = fields.get(field);
        if (located == null) return JsonToken.VALUE_NULL;
        return located.node instanceof Scalar(JsonToken token, String lexeme) ? token : JsonToken.NOT_AVAILABLE;
    }

    int prompts() {
        if (!(fields.get("prompt") instanceof Located(Elements(List<Node> nodes), long start, long end))) return 1;
        long prompts = nodes.stream()
                .filter(node -> node instanceof Text || node instanceof Elements)
                .count();
        return (int) Math.max(1, prompts);
    }

    byte[] prompt() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        fields.forEach((key, located) -> {
            switch (key) {
                case "prompt", "input", "system", "messages", "instructions", "query" -> prompt(located.node, out);
                default -> {}
            }
        });
        return out.toByteArray();
    }

    private static void prompt(Node node, ByteArrayOutputStream out) {
        switch (node) {
            case Text(String text) -> out.writeBytes(text.getBytes(UTF_8));
            case Scalar(JsonToken token, String lexeme) -> {
                if (token == JsonToken.VALUE_NUMBER_INT && lexeme.length() <= 11) {
                    long id = Long.parseLong(lexeme);
                    if (id == (int) id)
                        out.writeBytes(ByteBuffer.allocate(4).putInt((int) id).array());
                }
            }
            case Elements(List<Node> nodes) -> nodes.forEach(each -> prompt(each, out));
            case Fields(List<Map.Entry<String, Node>> entries) ->
                entries.forEach(entry -> {
                    if (entry.getKey().equals("content") || entry.getKey().equals("text"))
                        prompt(entry.getValue(), out);
                });
        }
    }
}
