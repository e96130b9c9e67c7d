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
    private static final int UNIT_DIGITS = 4;

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

    /** Takes the text of the value that the parser is at, in the body it reads, and leaves it at the value's end. */
    void take(JsonParser parser, JsonToken value, byte[] body) throws IOException {
        switch (value) {
            case VALUE_STRING -> text(parser, body);
            case VALUE_NUMBER_INT -> token(parser);
            case START_ARRAY -> {
                for (JsonToken each = parser.nextToken();
                        each != null && each != JsonToken.END_ARRAY;
                        each = parser.nextToken()) {
                    take(parser, each, body);
                }
            }
            case START_OBJECT -> part(parser, body);
            default -> {}
        }
    }

    /** A message, or a part of one. */
    private void part(JsonParser parser, byte[] body) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value != null && (field.equals("content") || field.equals("text"))) take(parser, value, body);
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

    /**
     * Read from the body's own bytes: the parser would make characters of the whole string, of which some 180 kB are needed.
     * It checks the string when it passes it.
     */
    private void text(JsonParser parser, byte[] body) {
        int quote = (int) parser.currentTokenLocation().getByteOffset();
        // Not in UTF-8: nothing is known of it.
        if (quote < 0) return;
        int at = quote + 1;
        while (length < MOST_BYTES) {
            int from = at;
            int end = Math.min(body.length, from + MOST_BYTES - length);
            while (at < end && body[at] != '"' && body[at] != '\\') at++;
            room(at - from + LONGEST_CHAR);
            System.arraycopy(body, from, bytes, length, at - from);
            length += at - from;
            if (at == end || body[at] == '"') return;
            at = escaped(body, at + 1);
        }
    }

    /** Takes what follows a backslash; returns where the string goes on. */
    private int escaped(byte[] body, int at) {
        if (at >= body.length) return at;
        switch (body[at]) {
            case 'b' -> bytes[length++] = '\b';
            case 'f' -> bytes[length++] = '\f';
            case 'n' -> bytes[length++] = '\n';
            case 'r' -> bytes[length++] = '\r';
            case 't' -> bytes[length++] = '\t';
            case 'u' -> {
                return unicode(body, at + 1);
            }
            default -> bytes[length++] = body[at];
        }
        return at + 1;
    }

    private int unicode(byte[] body, int at) {
        int unit = unit(body, at);
        int after = at + UNIT_DIGITS;
        if (unit < 0) return body.length;
        char c = (char) unit;
        if (c < 0x80) bytes[length++] = (byte) c;
        else if (c < 0x800) two(c);
        else if (!Character.isSurrogate(c)) three(c);
        else {
            boolean pair = after + 1 < body.length && body[after] == '\\' && body[after + 1] == 'u';
            int low = pair ? unit(body, after + 2) : -1;
            if (low < 0 || !Character.isSurrogatePair(c, (char) low)) {
                bytes[length++] = '?';
                return after;
            }
            four(Character.toCodePoint(c, (char) low));
            return after + 2 + UNIT_DIGITS;
        }
        return after;
    }

    /** Four hexadecimal digits, or -1: then the parser refuses the body. */
    private static int unit(byte[] body, int at) {
        if (at + UNIT_DIGITS > body.length) return -1;
        int unit = 0;
        for (int i = at; i < at + UNIT_DIGITS; i++) {
            int digit = Character.digit(body[i], 16);
            if (digit < 0) return -1;
            unit = unit << 4 | digit;
        }
        return unit;
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
