package dev.penstock.router.ingress;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.penstock.core.prefix.PrefixChain;
import java.io.IOException;
import java.util.Arrays;

/**
 * The canonical prompt of a request body: the text of {@code prompt}, {@code input}, {@code system} and all messages, in their
 * order and without their roles, as UTF-8; token ids are four bytes each. No more of it is kept than prefixes are hashed of.
 * Images and what else is no text say nothing. A buffer that an event loop uses again for each request.
 */
public final class PromptText {
    private static final int MOST_BYTES = PrefixChain.bytesOf(PrefixChain.MAX_BLOCKS);
    private static final int FIRST_BYTES = 4_096;
    private static final int LONGEST_CHAR = 4;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    void clear() {
        length = 0;
    }

    public int length() {
        return length;
    }

    public void addTo(PrefixChain chain) {
        chain.add(bytes, 0, length);
    }

    /** Whether a field of a body has a part of the prompt. */
    static boolean has(String field) {
        return switch (field) {
            case "prompt", "input", "system", "messages" -> true;
            default -> false;
        };
    }

    /** Takes the text of the value that the parser is at, and leaves it at the value's end. */
    void take(JsonParser parser, JsonToken value) throws IOException {
        switch (value) {
            case VALUE_STRING -> text(parser);
            case VALUE_NUMBER_INT -> token(parser);
            case START_ARRAY -> {
                for (JsonToken each = parser.nextToken();
                        each != null && each != JsonToken.END_ARRAY;
                        each = parser.nextToken()) {
                    take(parser, each);
                }
            }
            case START_OBJECT -> part(parser);
            default -> {}
        }
    }

    /** A message, or a part of one. */
    private void part(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value != null && (field.equals("content") || field.equals("text"))) take(parser, value);
            else parser.skipChildren();
        }
    }

    private void token(JsonParser parser) throws IOException {
        // One that is no token id is for the engine to refuse.
        if (length + Integer.BYTES > MOST_BYTES || parser.getNumberType() != JsonParser.NumberType.INT) return;
        int id = parser.getIntValue();
        room(Integer.BYTES);
        for (int shift = 24; shift >= 0; shift -= 8) bytes[length++] = (byte) (id >>> shift);
    }

    private void text(JsonParser parser) throws IOException {
        if (length >= MOST_BYTES) return;
        char[] chars = parser.getTextCharacters();
        int at = parser.getTextOffset();
        int end = at + parser.getTextLength();
        room(Math.min((end - at) * 3, MOST_BYTES - length + LONGEST_CHAR));
        while (at < end && length < MOST_BYTES) {
            char c = chars[at++];
            if (c < 0x80) bytes[length++] = (byte) c;
            else if (c < 0x800) two(c);
            else if (Character.isHighSurrogate(c) && at < end && Character.isLowSurrogate(chars[at])) {
                four(Character.toCodePoint(c, chars[at++]));
            } else if (Character.isSurrogate(c)) bytes[length++] = '?';
            else three(c);
        }
    }

    private void two(char c) {
        bytes[length++] = (byte) (0xC0 | c >> 6);
        bytes[length++] = (byte) (0x80 | c & 0x3F);
    }

    private void three(char c) {
        bytes[length++] = (byte) (0xE0 | c >> 12);
        bytes[length++] = (byte) (0x80 | c >> 6 & 0x3F);
        bytes[length++] = (byte) (0x80 | c & 0x3F);
    }

    private void four(int point) {
        bytes[length++] = (byte) (0xF0 | point >> 18);
        bytes[length++] = (byte) (0x80 | point >> 12 & 0x3F);
        bytes[length++] = (byte) (0x80 | point >> 6 & 0x3F);
        bytes[length++] = (byte) (0x80 | point & 0x3F);
    }

    private void room(int more) {
        if (length + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
}
