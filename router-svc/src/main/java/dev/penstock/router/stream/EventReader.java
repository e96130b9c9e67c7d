package dev.penstock.router.stream;

import java.nio.charset.StandardCharsets;

/** What one whole event of an API says. Stateless. */
final class EventReader {
    private static final byte[] DATA = bytes("data:");
    private static final byte[] EVENT = bytes("event:");
    private static final byte[] DONE = bytes("[DONE]");
    private static final byte[] TYPE_KEY = bytes("\"type\"");

    private EventReader() {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static void chat(byte[] a, int from, int to, Notes notes) {
        int data = data(a, from, to);
        if (data < 0) return;
        if (KeyReader.startsWith(a, data, to, DONE)) notes.done = true;
        else KeyReader.choices(a, data, to, notes);
    }

    static void responses(byte[] a, int from, int to, Notes notes) {
        int name = name(a, from, to);
        if (name < 0) {
            KeyReader.errorOnly(a, Math.max(from, data(a, from, to)), to, notes);
            return;
        }
        if (is(a, name, to, "response.created")
                || is(a, name, to, "response.in_progress")
                || is(a, name, to, "response.queued")
                || is(a, name, to, "response.output_item.added")
                || is(a, name, to, "response.content_part.added")) {
            return;
        }
        if (is(a, name, to, "response.completed") || is(a, name, to, "response.incomplete")) {
            notes.content = true;
            notes.done = true;
            KeyReader.usageOnly(a, name, to, notes);
        } else if (is(a, name, to, "response.failed") || is(a, name, to, "error")) {
            failed(a, name, to, notes);
        } else notes.content = true;
    }

    static void messages(byte[] a, int from, int to, Notes notes) {
        int name = name(a, from, to);
        if (name < 0) {
            KeyReader.errorOnly(a, Math.max(from, data(a, from, to)), to, notes);
            return;
        }
        if (is(a, name, to, "content_block_delta")) notes.content = true;
        else if (is(a, name, to, "message_start") || is(a, name, to, "message_delta")) {
            KeyReader.usageOnly(a, name, to, notes);
        } else if (is(a, name, to, "message_stop")) notes.done = true;
        else if (is(a, name, to, "error")) failed(a, name, to, notes);
    }

    static void other(byte[] a, int from, int to, Notes notes) {
        int data = data(a, from, to);
        if (data < 0) return;
        if (KeyReader.startsWith(a, data, to, DONE)) notes.done = true;
        else {
            KeyReader.errorOnly(a, data, to, notes);
            if (notes.errorCode == 0) notes.content = true;
        }
    }

    private static void failed(byte[] a, int from, int to, Notes notes) {
        if (notes.errorCode == 0) notes.errorCode = ErrorCode.of(a, Math.max(from, data(a, from, to)), to);
    }

    /** Where the first data line's value begins, or -1: comments and other lines say nothing. */
    private static int data(byte[] a, int from, int to) {
        for (int line = from; line < to; line = nextLine(a, line, to)) {
            if (KeyReader.startsWith(a, line, to, DATA)) return KeyReader.skipSpace(a, line + DATA.length, to);
        }
        return -1;
    }

    /** Where the event's name begins: that of its event line, else the first type in its data, quote skipped. */
    private static int name(byte[] a, int from, int to) {
        for (int line = from; line < to; line = nextLine(a, line, to)) {
            if (KeyReader.startsWith(a, line, to, EVENT)) return KeyReader.skipSpace(a, line + EVENT.length, to);
        }
        int data = data(a, from, to);
        if (data < 0) return -1;
        for (int i = data; i < to; i++) {
            if (a[i] != '"' || !KeyReader.startsWith(a, i, to, TYPE_KEY)) continue;
            int value = KeyReader.valueOf(a, i, to, ErrorCode.TYPE);
            if (value >= 0 && a[value] == '"') return value + 1;
        }
        return -1;
    }

    private static int nextLine(byte[] a, int at, int to) {
        while (at < to && a[at] != '\n' && a[at] != '\r') at++;
        return at + 1;
    }

    /** True when the word stands there, and ends. */
    private static boolean is(byte[] a, int at, int to, String word) {
        int end = at + word.length();
        if (end > to) return false;
        for (int k = 0; k < word.length(); k++) if (a[at + k] != word.charAt(k)) return false;
        return end == to || !Character.isLetterOrDigit(a[end]) && a[end] != '_' && a[end] != '.';
    }
}
