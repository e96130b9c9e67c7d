package dev.penstock.router.stream;

import java.nio.charset.StandardCharsets;

/**
 * Finds the few keys of an engine's JSON that say how an answer went, without parsing it: one pass over the bytes that stops
 * at quotes. A key's bytes can't appear inside a JSON string unescaped, so that no text of a model is taken for one. Stateless;
 * what it finds goes into the {@link Notes}.
 */
final class KeyReader {
    private static final byte[] FINISH_REASON = bytes("finish_reason");
    private static final byte[] USAGE = bytes("usage");
    private static final byte[] ERROR = bytes("error");
    private static final byte[] CONTENT = bytes("content");
    private static final byte[] TEXT = bytes("text");
    private static final byte[] REASONING = bytes("reasoning");
    private static final byte[] REASONING_CONTENT = bytes("reasoning_content");
    private static final byte[] REFUSAL = bytes("refusal");
    private static final byte[] TOOL_CALLS = bytes("tool_calls");
    private static final byte[] FUNCTION_CALL = bytes("function_call");
    private static final byte[] AUDIO = bytes("audio");
    private static final byte[] PROMPT_TOKENS = bytes("prompt_tokens");
    private static final byte[] INPUT_TOKENS = bytes("input_tokens");
    private static final byte[] COMPLETION_TOKENS = bytes("completion_tokens");
    private static final byte[] OUTPUT_TOKENS = bytes("output_tokens");
    private static final byte[] OBJECT = bytes("object");

    private KeyReader() {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads what a chat or completion event, or a whole answer of theirs, says. */
    static void choices(byte[] a, int from, int to, Notes notes) {
        for (int i = from; i < to; i++) {
            if (a[i] != '"' || i + 1 >= to) continue;
            switch (a[i + 1]) {
                case 'f' -> {
                    int value = valueOf(a, i, to, FINISH_REASON);
                    if (value >= 0) finish(a, value, to, notes);
                    else if (!notes.content) generated(a, valueOf(a, i, to, FUNCTION_CALL), to, notes);
                }
                case 'u' -> {
                    int value = valueOf(a, i, to, USAGE);
                    if (value >= 0 && a[value] == '{') i = usage(a, value, to, notes);
                }
                case 'e' -> {
                    int value = valueOf(a, i, to, ERROR);
                    if (value >= 0) error(a, from, i, value, to, notes);
                }
                case 'c' -> {
                    if (!notes.content) generated(a, valueOf(a, i, to, CONTENT), to, notes);
                }
                case 't' -> {
                    if (!notes.content) {
                        generated(a, valueOf(a, i, to, TEXT), to, notes);
                        generated(a, valueOf(a, i, to, TOOL_CALLS), to, notes);
                    }
                }
                case 'r' -> {
                    if (!notes.content) {
                        generated(a, valueOf(a, i, to, REASONING), to, notes);
                        generated(a, valueOf(a, i, to, REASONING_CONTENT), to, notes);
                        generated(a, valueOf(a, i, to, REFUSAL), to, notes);
                    }
                }
                case 'a' -> {
                    if (!notes.content) generated(a, valueOf(a, i, to, AUDIO), to, notes);
                }
                default -> {}
            }
        }
    }

    /** Reads usage alone: events of other APIs are told apart by their names. */
    static void usageOnly(byte[] a, int from, int to, Notes notes) {
        for (int i = from; i < to; i++) {
            if (a[i] != '"' || i + 1 >= to || a[i + 1] != 'u') continue;
            int value = valueOf(a, i, to, USAGE);
            if (value >= 0 && a[value] == '{') i = usage(a, value, to, notes);
        }
    }

    /** Reads an error at the top level, and nothing else; of OTHER streams. */
    static void errorOnly(byte[] a, int from, int to, Notes notes) {
        for (int i = from; i < to; i++) {
            if (a[i] != '"' || i + 1 >= to || a[i + 1] != 'e') continue;
            int value = valueOf(a, i, to, ERROR);
            if (value >= 0) error(a, from, i, value, to, notes);
        }
    }

    /**
     * True when a JSON body is an error's: engines put {@code "error"}, or {@code "object":"error"}, first. Anthropic's begins
     * with its type.
     */
    static boolean isError(byte[] a, int from, int to) {
        int at = skipSpace(a, from, to);
        if (at >= to || a[at] != '{') return false;
        int key = skipSpace(a, at + 1, to);
        if (key >= to || a[key] != '"') return false;
        int error = valueOf(a, key, to, ERROR);
        if (error >= 0) return a[error] == '{' || a[error] == '"';
        int object = valueOf(a, key, to, OBJECT);
        if (object < 0) object = valueOf(a, key, to, ErrorCode.TYPE);
        return object >= 0 && startsWith(a, object, to, ErrorCode.ERROR_WORD);
    }

    /** Where the value of the key begins whose opening quote is at i, or -1. */
    static int valueOf(byte[] a, int i, int to, byte[] key) {
        int end = i + 1 + key.length;
        if (end >= to || a[end] != '"') return -1;
        for (int k = 0; k < key.length; k++) if (a[i + 1 + k] != key[k]) return -1;
        int at = skipSpace(a, end + 1, to);
        if (at >= to || a[at] != ':') return -1;
        at = skipSpace(a, at + 1, to);
        return at < to ? at : -1;
    }

    static boolean startsWith(byte[] a, int at, int to, byte[] what) {
        if (at + what.length > to) return false;
        for (int k = 0; k < what.length; k++) if (a[at + k] != what[k]) return false;
        return true;
    }

    static int skipSpace(byte[] a, int at, int to) {
        while (at < to && (a[at] == ' ' || a[at] == '\t' || a[at] == '\n' || a[at] == '\r')) at++;
        return at;
    }

    /** A value that is there and not empty was generated. */
    private static void generated(byte[] a, int value, int to, Notes notes) {
        if (value < 0 || value + 1 >= to) return;
        boolean something =
                switch (a[value]) {
                    case '"' -> a[value + 1] != '"';
                    case '[' -> a[skipSpace(a, value + 1, to - 1)] != ']';
                    case '{' -> true;
                    default -> false;
                };
        if (something) notes.content = true;
    }

    private static void finish(byte[] a, int value, int to, Notes notes) {
        if (a[value] != '"' || value + 1 >= to) return;
        if (startsWith(a, value, to, ErrorCode.ABORT_WORD)) notes.aborted = true;
        else if (startsWith(a, value, to, ErrorCode.ERROR_WORD)) notes.failedFinish = true;
        notes.finished++;
    }

    /** Token counts inside the object that begins at value; returns its end. */
    private static int usage(byte[] a, int value, int to, Notes notes) {
        int depth = 0;
        for (int i = value; i < to; i++) {
            switch (a[i]) {
                case '{' -> depth++;
                case '}' -> {
                    if (--depth == 0) return i;
                }
                case '"' -> {
                    if (depth == 1 && i + 1 < to) tokens(a, i, to, notes);
                }
                default -> {}
            }
        }
        return to;
    }

    private static void tokens(byte[] a, int i, int to, Notes notes) {
        int value = -1;
        switch (a[i + 1]) {
            case 'p' -> value = valueOf(a, i, to, PROMPT_TOKENS);
            case 'i' -> value = valueOf(a, i, to, INPUT_TOKENS);
            case 'c' -> {
                value = valueOf(a, i, to, COMPLETION_TOKENS);
                if (value >= 0) notes.completionTokens = ErrorCode.number(a, value, to, notes.completionTokens);
                return;
            }
            case 'o' -> {
                value = valueOf(a, i, to, OUTPUT_TOKENS);
                if (value >= 0) notes.completionTokens = ErrorCode.number(a, value, to, notes.completionTokens);
                return;
            }
            default -> {}
        }
        if (value >= 0) notes.promptTokens = ErrorCode.number(a, value, to, notes.promptTokens);
    }

    private static void error(byte[] a, int from, int key, int value, int to, Notes notes) {
        if (a[value] != '{' && a[value] != '"') return;
        if (notes.errorCode == 0 && depth(a, from, key) == 1) notes.errorCode = ErrorCode.of(a, value, to);
    }

    /** How deep inside objects and arrays a position is; asked for where an error may be, which is rare. */
    private static int depth(byte[] a, int from, int at) {
        int depth = 0;
        boolean string = false;
        for (int i = from; i < at; i++) {
            byte b = a[i];
            if (string) {
                if (b == '\\') i++;
                else if (b == '"') string = false;
            } else if (b == '"') string = true;
            else if (b == '{' || b == '[') depth++;
            else if (b == '}' || b == ']') depth--;
        }
        return depth;
    }
}
