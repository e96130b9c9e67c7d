package dev.penstock.router.ingress;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What routing needs of a request body, read in one pass over its bytes without a tree. The bytes themselves are
 * forwarded as they came. Values are never coerced: {@code "stream": "true"} is a client's mistake.
 */
public sealed interface RequestPeek {
    JsonFactory JSON = JsonFactory.builder()
            // a body is bounded as a whole
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    /**
     * A body that can be routed.
     *
     * @param modelStart where the model's JSON string begins in the body, its quote included
     * @param modelEnd where it is over
     */
    record Peeked(String model, boolean stream, int modelStart, int modelEnd) implements RequestPeek {}

    /** A body that can't: 400, naming the field where one is to blame. */
    record Invalid(String message, @Nullable String param) implements RequestPeek {}

    /**
     * @param sessionFields top-level fields that may name a session
     * @param facts takes what else the body says
     */
    static RequestPeek of(byte[] body, Set<String> sessionFields, BodyFacts facts) {
        facts.start(body);
        if (body.length == 0) return new Invalid("The request body is empty; expected a JSON object.", null);
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return new Invalid("The request body must be a JSON object.", null);
            }
            return fields(parser, body, sessionFields, facts);
        } catch (IOException e) {
            return new Invalid("The request body is not valid JSON: " + firstLine(e.getMessage()), null);
        }
    }

    private static RequestPeek fields(JsonParser parser, byte[] body, Set<String> sessionFields, BodyFacts facts)
            throws IOException {
        String model = null;
        boolean stream = false;
        int modelStart = 0;
        int modelEnd = 0;
        Invalid invalid = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("model")) {
                if (value == JsonToken.VALUE_STRING) {
                    modelStart = (int) parser.currentTokenLocation().getByteOffset();
                    model = parser.getText();
                    modelEnd = (int) parser.currentLocation().getByteOffset();
                } else invalid = new Invalid("'model' must be a string.", "model");
            } else if (field.equals("stream")) {
                if (value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE || value == JsonToken.VALUE_NULL) {
                    stream = value == JsonToken.VALUE_TRUE;
                } else {
                    invalid = new Invalid("'stream' must be true or false.", "stream");
                }
            } else if (value == JsonToken.VALUE_STRING && field.equals("cache_salt")) {
                facts.cacheSalt(parser.getText());
                if (sessionFields.contains(field)) facts.field(field, parser.getText());
            } else if (value == JsonToken.VALUE_STRING && sessionFields.contains(field)) {
                facts.field(field, parser.getText());
            } else if (field.equals("tools")) {
                int from = (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                facts.tools(from, (int) parser.currentLocation().getByteOffset());
            } else if (value != null && PromptText.has(field)) {
                facts.prompt().take(parser, value, body);
                continue;
            }
            parser.skipChildren();
        }
        if (parser.nextToken() != null) return new Invalid("The request body has content after its JSON object.", null);
        if (invalid != null) return invalid;
        if (model == null) return new Invalid("'model' is missing.", "model");
        if (model.isBlank()) return new Invalid("'model' must not be empty.", "model");
        return new Peeked(model, stream, modelStart, modelEnd);
    }

    private static String firstLine(@Nullable String message) {
        if (message == null) return "no detail";
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
