package dev.penstock.router.body;

import dev.penstock.router.body.JsonEvents.Literal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the fields said that decide about a request. A field that comes again takes the place of what it said before. */
final class RoutingFields {
    static final int MOST_MODEL_BYTES = 1_024;

    private static final long ABSENT = -2;
    private static final long FOR_THE_ENGINE = -1;
    /** In the order in which engines prefer them. */
    private static final BodyField[] LIMITS = {
        BodyField.MAX_COMPLETION_TOKENS, BodyField.MAX_OUTPUT_TOKENS, BodyField.MAX_TOKENS
    };

    private @Nullable String model;
    private @Nullable String modelFault;
    private long modelStart;
    private long modelEnd;
    private boolean stream;
    private boolean streamFault;
    private int n;
    private boolean nFault;
    private final long[] limits = new long[LIMITS.length];
    private long ridStart;
    private long ridEnd;
    private @Nullable String previousResponseId;
    private long previousResponseStart;
    private long previousResponseEnd;

    void clear() {
        forget(BodyField.MODEL);
        forget(BodyField.STREAM);
        forget(BodyField.N);
        forget(BodyField.RID);
        forget(BodyField.PREVIOUS_RESPONSE_ID);
        Arrays.fill(limits, ABSENT);
    }

    /** As if the field had not come. */
    void forget(BodyField field) {
        switch (field) {
            case MODEL -> {
                model = null;
                modelFault = "'model' is missing.";
            }
            case STREAM -> {
                stream = false;
                streamFault = false;
            }
            case N -> {
                n = 1;
                nFault = false;
            }
            case MAX_TOKENS, MAX_COMPLETION_TOKENS, MAX_OUTPUT_TOKENS -> limit(field, ABSENT);
            case RID -> {
                ridStart = -1;
                ridEnd = -1;
            }
            case PREVIOUS_RESPONSE_ID -> {
                previousResponseId = null;
                previousResponseStart = -1;
                previousResponseEnd = -1;
            }
            default -> {}
        }
    }

    /** A string; of those that are {@link BodyField#isText} with what it says, unless that was too long. */
    void string(BodyField field, TextBuffer text, long at, long end) {
        switch (field) {
            case MODEL -> model(text, at, end);
            case RID -> rid(at, end);
            case PREVIOUS_RESPONSE_ID -> {
                previousResponseId = text.cut() ? null : text.text();
                previousResponseStart = at;
                previousResponseEnd = end;
            }
            default -> other(field);
        }
    }

    private void model(TextBuffer text, long at, long end) {
        modelFault = null;
        if (text.cut() || text.length() > MOST_MODEL_BYTES) {
            modelFault = "'model' is longer than " + MOST_MODEL_BYTES + " bytes.";
            return;
        }
        String name = text.text();
        if (name.isBlank()) modelFault = "'model' must not be empty.";
        model = name;
        modelStart = at;
        modelEnd = end;
    }

    private void rid(long at, long end) {
        ridStart = at;
        ridEnd = end;
    }

    void number(BodyField field, long value, boolean whole) {
        switch (field) {
            case N -> {
                nFault = !whole || value < 1;
                n = nFault ? 1 : (int) Math.min(Integer.MAX_VALUE, value);
            }
            case MAX_TOKENS, MAX_COMPLETION_TOKENS, MAX_OUTPUT_TOKENS ->
                limit(field, whole && value >= 0 ? value : FOR_THE_ENGINE);
            default -> other(field);
        }
    }

    void literal(BodyField field, Literal literal, long at, long end) {
        switch (literal) {
            case NULL -> {
                // As if it were not there; that of a model is one that is missing.
                if (field == BodyField.MODEL) other(field);
                if (field == BodyField.RID) rid(at, end);
            }
            case TRUE, FALSE -> {
                if (field == BodyField.STREAM) stream = literal == Literal.TRUE;
                else other(field);
            }
        }
    }

    /** A value of a kind that the field does not have. */
    void other(BodyField field) {
        switch (field) {
            case MODEL -> modelFault = "'model' must be a string.";
            case STREAM -> streamFault = true;
            case N -> nFault = true;
            case MAX_TOKENS, MAX_COMPLETION_TOKENS, MAX_OUTPUT_TOKENS -> limit(field, FOR_THE_ENGINE);
            default -> {}
        }
    }

    private void limit(BodyField field, long value) {
        for (int i = 0; i < LIMITS.length; i++) if (LIMITS[i] == field) limits[i] = value;
    }

    Peek peek(long objectStart, int prompts) {
        String name = model;
        if (modelFault != null || name == null) return new Peek.Invalid(String.valueOf(modelFault), "model");
        if (streamFault) return new Peek.Invalid("'stream' must be true or false.", "stream");
        if (nFault) return new Peek.Invalid("'n' must be a positive integer.", "n");
        long limit = ABSENT;
        for (long each : limits) if (limit == ABSENT) limit = each;
        return new Peek.Peeked(
                name,
                stream,
                modelStart,
                modelEnd,
                objectStart,
                (int) Math.min(Integer.MAX_VALUE, (long) n * prompts),
                limit != ABSENT,
                Math.max(limit, FOR_THE_ENGINE),
                ridStart,
                ridEnd,
                previousResponseId,
                previousResponseStart,
                previousResponseEnd);
    }
}
