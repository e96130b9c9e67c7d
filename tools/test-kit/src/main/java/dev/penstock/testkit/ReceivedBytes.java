package dev.penstock.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes from a socket, appended at the end and taken from the front. One thread uses it. */
final class ReceivedBytes {
    private byte[] bytes = new byte[16 * 1024];
    private int size;

    int size() {
        return size;
    }

    void append(byte[] source, int count) {
        if (size + count > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
        System.arraycopy(source, 0, bytes, size, count);
        size += count;
    }

    /** Where {@code text} begins at or after {@code from}, or -1. */
    int indexOf(String text, int from) {
        byte[] wanted = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = from; at <= size - wanted.length; at++) {
            if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) return at;
        }
        return -1;
    }

    byte[] slice(int from, int to) {
        return Arrays.copyOfRange(bytes, from, Math.min(to, size));
    }

    String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    byte[] take(int count) {
        byte[] taken = slice(0, count);
        System.arraycopy(bytes, count, bytes, 0, size - count);
        size -= count;
        return taken;
    }
}
