package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Top-level fields that say something to a router. */
enum BodyField {
    MODEL("model"),
    STREAM("stream"),
    N("n"),
    MAX_TOKENS("max_tokens"),
    MAX_COMPLETION_TOKENS("max_completion_tokens"),
    MAX_OUTPUT_TOKENS("max_output_tokens"),
    RID("rid"),
    PREVIOUS_RESPONSE_ID("previous_response_id"),
    CACHE_SALT("cache_salt"),
    TOOLS("tools"),
    PROMPT("prompt"),
    INPUT("input"),
    SYSTEM("system"),
    MESSAGES("messages"),
    INSTRUCTIONS("instructions"),
    QUERY("query"),
    OTHER("");

    private static final int LONGEST = 24;
    private static final BodyField[][] BY_LENGTH = byLength();

    private final byte[] key;

    BodyField(String key) {
        this.key = key.getBytes(UTF_8);
    }

    static BodyField of(TextBuffer key) {
        if (key.length() > LONGEST) return OTHER;
        for (BodyField field : BY_LENGTH[key.length()]) if (key.is(field.key)) return field;
        return OTHER;
    }

    /** Whether its value's text is needed, but for a prompt's. */
    boolean isText() {
        return switch (this) {
            case MODEL, PREVIOUS_RESPONSE_ID, CACHE_SALT -> true;
            default -> false;
        };
    }

    /** Whether it has a part of the prompt. */
    boolean isPrompt() {
        return switch (this) {
            case PROMPT, INPUT, SYSTEM, MESSAGES, INSTRUCTIONS, QUERY -> true;
            default -> false;
        };
    }

    private static BodyField[][] byLength() {
        BodyField[][] fields = new BodyField[LONGEST + 1][];
        for (int length = 0; length <= LONGEST; length++) {
            int each = length;
            fields[length] = Arrays.stream(values())
                    .filter(field -> field != OTHER && field.key.length == each)
                    .toArray(BodyField[]::new);
        }
        return fields;
    }
}
