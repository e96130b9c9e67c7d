package dev.penstock.cli.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads an event stream by bytes: JSON is not parsed, because at thousands of chunks per second the reader would become
 * what is measured. Event-loop only. A quote inside text is escaped, so {@code "error":} can only be a key.
 */
final class StreamScanner {
    private static final byte[] DATA = ascii("data:");
    private static final byte[] DONE = ascii("[DONE]");
    private static final byte[] CONTENT = ascii("\"content\":");
    private static final byte[] ERROR = ascii("\"error\":");
    private static final byte[] NULL = ascii("null");
    private static final int MAX_LINE = 1 << 20;

    private final Runnable onContent;
    private byte[] line = new byte[0];
    private boolean done;
    private boolean error;

    StreamScanner(Runnable onContent) {
        this.onContent = onContent;
    }

    void accept(byte[] bytes) {
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\n') continue;
            if (line.length == 0) {
                scan(bytes, start, i);
            } else {
                keep(bytes, start, i);
                scan(line, 0, line.length);
                line = new byte[0];
            }
            start = i + 1;
        }
        keep(bytes, start, bytes.length);
    }

    boolean sawDone() {
        return done;
    }

    boolean sawError() {
        return error;
    }

    private void keep(byte[] bytes, int from, int to) {
        int length = Math.min(to - from, MAX_LINE - line.length);
        if (length <= 0) return;
        int old = line.length;
        line = Arrays.copyOf(line, old + length);
        System.arraycopy(bytes, from, line, old, length);
    }

    private void scan(byte[] bytes, int from, int to) {
        if (!startsWith(bytes, from, to, DATA)) return;
        int start = skipSpaces(bytes, from + DATA.length, to);
        if (startsWith(bytes, start, to, DONE)) {
            done = true;
        } else if (hasText(bytes, start, to)) {
            onContent.run();
        } else if (hasError(bytes, start, to)) {
            error = true;
        }
    }

    private static boolean hasText(byte[] bytes, int from, int to) {
        int value = valueOf(CONTENT, bytes, from, to);
        return value >= 0 && value + 1 < to && bytes[value] == '"' && bytes[value + 1] != '"';
    }

    private static boolean hasError(byte[] bytes, int from, int to) {
        int value = valueOf(ERROR, bytes, from, to);
        return value >= 0 && !startsWith(bytes, value, to, NULL);
    }

    /** Where the value of a key begins; -1 without the key. */
    private static int valueOf(byte[] key, byte[] bytes, int from, int to) {
        for (int i = from; i + key.length <= to; i++) {
            if (bytes[i] == '"' && startsWith(bytes, i, to, key)) return skipSpaces(bytes, i + key.length, to);
        }
        return -1;
    }

    private static int skipSpaces(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] == ' ') at++;
        return at;
    }

    private static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
        return from + prefix.length <= to && Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
