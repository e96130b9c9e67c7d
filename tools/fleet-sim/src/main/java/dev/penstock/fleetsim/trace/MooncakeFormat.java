package dev.penstock.fleetsim.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Mooncake's traces: {@code {"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47]}}. */
final class MooncakeFormat implements TraceFormat {
    private static final String TIMESTAMP = "timestamp";
    private static final String INPUT = "input_length";
    private static final String OUTPUT = "output_length";
    private static final String BLOCKS = "hash_ids";
    private static final long MOST_MILLIS = Long.MAX_VALUE / 1_000_000;

    private final JsonFactory json = new JsonFactory();

    /** What is known of a line by its keys. */
    private static final class Fields {
        long millis = -1;
        int promptTokens;
        int outputTokens;
        final List<Long> blocks = new ArrayList<>();
    }

    @Override
    public String timeField() {
        return TIMESTAMP;
    }

    @Override
    public TraceRequest parse(TraceLine line) {
        Fields fields = new Fields();
        try (JsonParser parser = json.createParser(line.text())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw line.unexpected("line", line.text(), "a JSON object");
            }
            for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
                parser.nextToken();
                read(line, key, parser, fields);
            }
        } catch (IOException e) {
            throw line.unexpected("line", line.text(), "a JSON object");
        }
        if (fields.millis < 0) throw missing(line, TIMESTAMP);
        if (fields.promptTokens == 0) throw missing(line, INPUT);
        if (fields.outputTokens == 0) throw missing(line, OUTPUT);
        return new TraceRequest(
                fields.millis * 1_000_000, fields.promptTokens, fields.outputTokens, null, null, fields.blocks);
    }

    private static void read(TraceLine line, String key, JsonParser parser, Fields fields) throws IOException {
        switch (key) {
            case TIMESTAMP -> fields.millis = millis(line, parser);
            case INPUT -> fields.promptTokens = line.tokens(INPUT, parser.getText());
            case OUTPUT -> fields.outputTokens = line.tokens(OUTPUT, parser.getText());
            case BLOCKS -> readBlocks(line, parser, fields.blocks);
            default -> parser.skipChildren();
        }
    }

    private static long millis(TraceLine line, JsonParser parser) throws IOException {
        if (parser.currentToken().isNumeric()) {
            double millis = parser.getDoubleValue();
            if (millis >= 0 && millis <= MOST_MILLIS) return (long) millis;
        }
        throw line.unexpected(TIMESTAMP, parser.getText(), "milliseconds, 0 or more");
    }

    private static void readBlocks(TraceLine line, JsonParser parser, List<Long> into) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) throw notIds(line, parser);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) throw notIds(line, parser);
            into.add(parser.getLongValue());
        }
    }

    private static TraceException notIds(TraceLine line, JsonParser parser) throws IOException {
        return line.unexpected(BLOCKS, parser.getText(), "an array of whole numbers");
    }

    private static TraceException missing(TraceLine line, String field) {
        return line.unexpected(field, "", "a value");
    }
}
