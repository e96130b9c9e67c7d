package dev.penstock.router.body;

import dev.penstock.router.body.JsonEvents.Literal;
import org.jspecify.annotations.Nullable;

/**
 * Checks one JSON object of RFC 8259 while its bytes pass, in pieces cut anywhere, and tells what is in it. Neither recursion
 * nor a tree: what is open is one bit per level, where it is in a token a state. Strict, as engines are: valid UTF-8, no NaN, no
 * comma too many. A byte order mark of UTF-8 is passed over.
 */
final class JsonScan {
    static final int MOST_DEPTH = 1_000;

    /** NUL that early is the other half of an ASCII character, in UTF-16 or UTF-32. */
    private static final int FIRST_BYTES = 4;

    private static final int UNIT_DIGITS = 4;
    /** What a character stands for behind a backslash; 0 for nothing. */
    private static final char[] UNESCAPED = new char[0x80];

    private static final byte[] DIGITS = new byte[0x80];

    static {
        String escapes = "bfnrt\"\\/";
        for (int i = 0; i < escapes.length(); i++) {
            UNESCAPED[escapes.charAt(i)] = "\b\f\n\r\t\"\\/".charAt(i);
        }
        for (int c = 0; c < DIGITS.length; c++) DIGITS[c] = (byte) Character.digit(c, 16);
    }

    private enum State {
        START("'{'"),
        ORDER_MARK("the rest of a byte order mark"),
        FIRST_KEY("'\"' or '}'"),
        KEY("'\"'"),
        COLON("':'"),
        VALUE("a value"),
        FIRST_VALUE("a value or ']'"),
        NEXT_FIELD("',' or '}'"),
        NEXT_ELEMENT("',' or ']'"),
        OVER("nothing"),
        STRING("'\"'"),
        SEQUENCE("the rest of a UTF-8 character"),
        ESCAPE("a valid escape after '\\'"),
        UNIT("four hexadecimal digits after '\\u'"),
        LITERAL("true, false or null"),
        MINUS("a digit after '-'"),
        ZERO("the end of a number that begins with 0"),
        INTEGER("a digit"),
        POINT("a digit after '.'"),
        FRACTION("a digit"),
        EXPONENT("a digit or a sign after 'e'"),
        EXPONENT_SIGN("a digit of an exponent"),
        EXPONENT_DIGITS("a digit");

        final String expected;

        State(String expected) {
            this.expected = expected;
        }
    }

    private final JsonEvents events;
    /** One bit per level: an object, not an array. */
    private final long[] objects = new long[MOST_DEPTH / Long.SIZE + 1];

    private State state = State.START;
    private int depth;
    /** Of the piece that is being read, in the body. */
    private long base;

    private long objectStart;
    private @Nullable String fault;

    private long stringAt;
    private boolean key;
    private boolean wanted;
    /** Bytes of a character, digits of a unit, that have not come. */
    private int missing;

    private int least;
    private int greatest;
    private int unit;
    private Literal literal = Literal.NULL;
    private int letters;
    private long value;
    private boolean negative;
    private boolean plain;
    private boolean whole;

    JsonScan(JsonEvents events) {
        this.events = events;
    }

    void start() {
        state = State.START;
        depth = 0;
        base = 0;
        objectStart = 0;
        fault = null;
    }

    boolean faulty() {
        return fault != null;
    }

    /** Bytes that came so far. */
    long position() {
        return base;
    }

    /** Behind the opening brace. */
    long objectStart() {
        return objectStart;
    }

    /** @param bytes the next ones up to {@code to}; {@link Utf8Run#LOOK_AHEAD} longer than that */
    void feed(byte[] bytes, int to) {
        int at = 0;
        while (at < to && fault == null) {
            at = switch (state) {
                case STRING -> string(bytes, at, to);
                case SEQUENCE -> sequence(bytes, at, to);
                case ESCAPE -> escape(bytes[at], at);
                case UNIT -> unit(bytes[at], at);
                case LITERAL -> literal(bytes[at], at);
                case MINUS, ZERO, INTEGER, POINT, FRACTION, EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS ->
                    number(bytes, at, to);
                case START, ORDER_MARK, FIRST_KEY, KEY, COLON, VALUE, FIRST_VALUE, NEXT_FIELD, NEXT_ELEMENT, OVER ->
                    between(bytes[at], at);
            };
        }
        base += to;
    }

    /** What is wrong with the body as a whole, or null. */
    @Nullable
    String finish() {
        if (fault == null && state != State.OVER) {
            fault = state == State.START
                    ? "The request body is empty; expected a JSON object."
                    : "The request body is not valid JSON: it ends at byte " + base + ", expected " + state.expected
                            + (inString() ? " in the string that begins at byte " + stringAt + "." : ".");
        }
        return fault;
    }

    private boolean inString() {
        return switch (state) {
            case STRING, SEQUENCE, ESCAPE, UNIT -> true;
            default -> false;
        };
    }

    /** One byte that is in no token. */
    private int between(byte b, int at) {
        if (state == State.ORDER_MARK) return orderMark(b, at);
        if (b == ' ' || b == '\n' || b == '\r' || b == '\t') return at + 1;
        switch (state) {
            case START -> begin(b, at);
            case FIRST_KEY, KEY -> {
                if (b == '"') stringBegins(true, at);
                else if (b == '}' && state == State.FIRST_KEY) close(at);
                else unexpected(b, at);
            }
            case COLON -> {
                if (b == ':') state = State.VALUE;
                else unexpected(b, at);
            }
            case VALUE -> value(b, at);
            case FIRST_VALUE -> {
                if (b == ']') close(at);
                else value(b, at);
            }
            case NEXT_FIELD -> {
                if (b == ',') state = State.KEY;
                else if (b == '}') close(at);
                else unexpected(b, at);
            }
            case NEXT_ELEMENT -> {
                if (b == ',') state = State.VALUE;
                else if (b == ']') close(at);
                else unexpected(b, at);
            }
            default -> fault = "The request body has content after its JSON object, at byte " + (base + at) + ".";
        }
        return at + 1;
    }

    private void begin(byte b, int at) {
        if (b == '{') {
            objectStart = base + at + 1;
            depth = 1;
            objects[0] |= 1L << 1;
            state = State.FIRST_KEY;
        } else if (b == (byte) 0xEF && base + at == 0) {
            state = State.ORDER_MARK;
        } else if (b == (byte) 0xFE || b == (byte) 0xFF || b == 0) {
            notUtf8(b, at);
        } else {
            fault = "The request body must be a JSON object; expected '{' but found " + shown(b) + " at byte "
                    + (base + at) + ".";
        }
    }

    private int orderMark(byte b, int at) {
        long position = base + at;
        if (b != (byte) (position == 1 ? 0xBB : 0xBF)) unexpected(b, at);
        else if (position == 2) state = State.START;
        return at + 1;
    }

    private void value(byte b, int at) {
        events.valueBegins(depth, base + at);
        switch (b) {
            case '"' -> stringBegins(false, at);
            case '{', '[' -> open(b == '{', at);
            case 't' -> literalBegins(Literal.TRUE);
            case 'f' -> literalBegins(Literal.FALSE);
            case 'n' -> literalBegins(Literal.NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> numberBegins(b);
            default -> unexpected(b, at);
        }
    }

    private void open(boolean object, int at) {
        if (depth == MOST_DEPTH) {
            fault = "The request body is nested deeper than " + MOST_DEPTH + " levels, at byte " + (base + at) + ".";
            return;
        }
        events.opened(object, depth);
        depth++;
        long bit = 1L << depth;
        if (object) objects[depth / Long.SIZE] |= bit;
        else objects[depth / Long.SIZE] &= ~bit;
        state = object ? State.FIRST_KEY : State.FIRST_VALUE;
    }

    private void close(int at) {
        depth--;
        if (depth == 0) {
            state = State.OVER;
            return;
        }
        events.closed(depth, base + at + 1);
        valueEnds();
    }

    private void valueEnds() {
        boolean object = (objects[depth / Long.SIZE] & 1L << depth) != 0;
        state = object ? State.NEXT_FIELD : State.NEXT_ELEMENT;
    }

    private void stringBegins(boolean isKey, int at) {
        key = isKey;
        stringAt = base + at;
        wanted = events.stringBegins(isKey, depth);
        state = State.STRING;
    }

    private int string(byte[] bytes, int start, int to) {
        int from = start;
        int at = start;
        while (true) {
            at = Utf8Run.ascii(bytes, at, to);
            if (at < to && bytes[at] < 0) {
                at = character(bytes, Utf8Run.wide(bytes, at, to), to);
                if (fault != null) return to;
                if (at < to) continue;
            }
            if (wanted && at > from) events.text(bytes, from, at);
            if (at == to) return to;
            byte b = bytes[at];
            if (b == '\\') {
                at = escapeHere(bytes, at + 1, to);
                if (state != State.STRING || at == to) return at;
                from = at;
                continue;
            }
            if (b == '"') stringEnds(at);
            else fault = invalid("control character " + shown(b) + " in a string must be escaped", at);
            return at + 1;
        }
    }

    /** What follows a backslash, if it is all there and valid; else the state says what is awaited. */
    private int escapeHere(byte[] bytes, int at, int to) {
        char unescaped = at < to ? UNESCAPED[bytes[at] & 0x7F] : 0;
        if (unescaped != 0 && bytes[at] > 0) {
            if (wanted) events.unit(unescaped);
            return at + 1;
        }
        int end = at + 1 + UNIT_DIGITS;
        if (end <= to && bytes[at] == 'u') {
            int four = digit(bytes[at + 1]) << 12
                    | digit(bytes[at + 2]) << 8
                    | digit(bytes[at + 3]) << 4
                    | digit(bytes[at + 4]);
            if (four >= 0) {
                if (wanted) events.unit((char) four);
                return end;
            }
        }
        state = State.ESCAPE;
        return at;
    }

    /** Of a hexadecimal digit; what is none makes all that it is shifted into negative. */
    private static int digit(byte b) {
        return b < 0 ? -1 : DIGITS[b];
    }

    private void stringEnds(int at) {
        events.stringEnds(key, depth, base + at + 1);
        if (key) state = State.COLON;
        else valueEnds();
    }

    /** One character that is not ASCII, or as much of it as is there. */
    private int character(byte[] bytes, int from, int to) {
        if (from == to || bytes[from] >= 0) return from;
        int lead = bytes[from] & 0xFF;
        least = 0x80;
        greatest = 0xBF;
        if (lead >= 0xC2 && lead <= 0xDF) {
            missing = 1;
        } else if (lead >= 0xE0 && lead <= 0xEF) {
            missing = 2;
            // shorter is possible; half a surrogate pair
            if (lead == 0xE0) least = 0xA0;
            else if (lead == 0xED) greatest = 0x9F;
        } else if (lead >= 0xF0 && lead <= 0xF4) {
            missing = 3;
            // shorter is possible; above 10FFFF
            if (lead == 0xF0) least = 0x90;
            else if (lead == 0xF4) greatest = 0x8F;
        } else {
            brokenUtf8(bytes[from], from);
            return to;
        }
        return rest(bytes, from + 1, to);
    }

    private int rest(byte[] bytes, int from, int to) {
        int at = from;
        while (missing > 0) {
            if (at == to) {
                state = State.SEQUENCE;
                return to;
            }
            int b = bytes[at] & 0xFF;
            if (b < least || b > greatest) {
                brokenUtf8(bytes[at], at);
                return to;
            }
            least = 0x80;
            greatest = 0xBF;
            missing--;
            at++;
        }
        return at;
    }

    /** A character goes on that was cut. */
    private int sequence(byte[] bytes, int from, int to) {
        int at = rest(bytes, from, to);
        if (fault != null) return to;
        if (wanted) events.text(bytes, from, at);
        if (missing == 0) state = State.STRING;
        return at;
    }

    private int escape(byte b, int at) {
        if (b == 'u') {
            missing = UNIT_DIGITS;
            unit = 0;
            state = State.UNIT;
            return at + 1;
        }
        char unescaped = b < 0 ? 0 : UNESCAPED[b];
        if (unescaped == 0) {
            unexpected(b, at);
        } else {
            if (wanted) events.unit(unescaped);
            state = State.STRING;
        }
        return at + 1;
    }

    private int unit(byte b, int at) {
        int digit = digit(b);
        if (digit < 0) {
            unexpected(b, at);
            return at;
        }
        unit = unit << 4 | digit;
        missing--;
        if (missing == 0) {
            if (wanted) events.unit((char) unit);
            state = State.STRING;
        }
        return at + 1;
    }

    private void literalBegins(Literal begun) {
        literal = begun;
        letters = 1;
        state = State.LITERAL;
    }

    private int literal(byte b, int at) {
        if (b != literal.word.charAt(letters)) {
            unexpected(b, at);
            return at;
        }
        letters++;
        if (letters == literal.word.length()) {
            events.literal(literal, depth, base + at + 1);
            valueEnds();
        }
        return at + 1;
    }

    private void numberBegins(byte b) {
        negative = b == '-';
        value = negative ? 0L : (long) b - (byte) '0';
        plain = true;
        whole = true;
        state = negative ? State.MINUS : b == '0' ? State.ZERO : State.INTEGER;
    }

    private int number(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            byte b = bytes[at];
            boolean digit = b >= '0' && b <= '9';
            switch (state) {
                case MINUS -> {
                    if (!digit) return unexpected(b, at);
                    value = b - '0';
                    state = b == '0' ? State.ZERO : State.INTEGER;
                }
                case ZERO -> {
                    if (digit) return unexpected(b, at);
                    if (!fractionOrExponent(b)) return numberEnds(at);
                }
                case INTEGER -> {
                    at = digits(bytes, at, to);
                    if (at == to) return to;
                    b = bytes[at];
                    if (!fractionOrExponent(b)) return numberEnds(at);
                }
                case POINT, FRACTION -> {
                    if (digit) {
                        whole &= b == '0';
                        state = State.FRACTION;
                    } else if (state == State.POINT) {
                        return unexpected(b, at);
                    } else if (b == 'e' || b == 'E') {
                        exponent();
                    } else {
                        return numberEnds(at);
                    }
                }
                case EXPONENT -> {
                    if (digit) state = State.EXPONENT_DIGITS;
                    else if (b == '+' || b == '-') state = State.EXPONENT_SIGN;
                    else return unexpected(b, at);
                }
                case EXPONENT_SIGN -> {
                    if (!digit) return unexpected(b, at);
                    state = State.EXPONENT_DIGITS;
                }
                default -> {
                    if (!digit) return numberEnds(at);
                }
            }
            at++;
        }
        return to;
    }

    /** Token ids are many: in one loop, without a look at the state. */
    private int digits(byte[] bytes, int from, int to) {
        int at = from;
        long so = value;
        while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
            so = so > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE : so * 10 + (bytes[at] - '0');
            at++;
        }
        value = so;
        return at;
    }

    private boolean fractionOrExponent(byte b) {
        if (b == '.') {
            plain = false;
            state = State.POINT;
            return true;
        }
        if (b != 'e' && b != 'E') return false;
        exponent();
        return true;
    }

    private void exponent() {
        plain = false;
        whole = false;
        state = State.EXPONENT;
    }

    private int numberEnds(int at) {
        events.number(negative ? -value : value, plain, whole, depth, base + at);
        valueEnds();
        return at;
    }

    private int unexpected(byte b, int at) {
        if (b == 0 && base + at < FIRST_BYTES) notUtf8(b, at);
        else fault = invalid("expected " + state.expected + " but found " + shown(b), at);
        return at;
    }

    private void notUtf8(byte b, int at) {
        fault = "The request body must be JSON in UTF-8; found " + shown(b) + " at byte " + (base + at) + ".";
    }

    private void brokenUtf8(byte b, int at) {
        fault = "The request body is not valid UTF-8: found " + shown(b) + " at byte " + (base + at) + ".";
    }

    private String invalid(String what, int at) {
        return "The request body is not valid JSON: " + what + " at byte " + (base + at) + ".";
    }

    private static String shown(byte b) {
        if (b > ' ' && b < 0x7F) return "'" + (char) b + "'";
        return "0x" + Character.toUpperCase(Character.forDigit(b >> 4 & 0xF, 16))
                + Character.toUpperCase(Character.forDigit(b & 0xF, 16));
    }
}
