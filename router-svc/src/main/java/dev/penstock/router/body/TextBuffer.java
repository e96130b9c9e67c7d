package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Text of JSON strings in UTF-8, its escapes resolved, up to a number of bytes. Used again for each request. */
final class TextBuffer {
    private static final int FIRST_BYTES = 256;

    private final int most;
    private final Lone policy;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private boolean cut;
    /** First half of a pair whose second has not come; 0 without. */
    private char high;

    private boolean lone;

    /** What becomes of half a surrogate pair, which JSON may have and UTF-8 may not. */
    enum Lone {
        /** As Java's own encoder writes it. */
        QUESTION_MARK,
        /** Three bytes, so that texts that differ stay different. */
        KEPT
    }

    TextBuffer(int most, Lone policy) {
        this.most = most;
        this.policy = policy;
    }

    void clear() {
        length = 0;
        cut = false;
        high = 0;
        lone = false;
    }

    int length() {
        return length;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Whether there was more than it takes. */
    boolean cut() {
        return cut;
    }

    boolean full() {
        return length == most;
    }

    void add(byte[] from, int at, int to) {
        if (high != 0) half();
        int take = Math.min(to - at, most - length);
        cut |= take < to - at;
        room(take);
        System.arraycopy(from, at, bytes, length, take);
        length += take;
    }

    void unit(char unit) {
        if (unit < 0x80 && high == 0) {
            put(unit);
            return;
        }
        if (high != 0) {
            if (Character.isLowSurrogate(unit)) {
                int point = Character.toCodePoint(high, unit);
                high = 0;
                point(point);
                return;
            }
            half();
        }
        if (Character.isHighSurrogate(unit)) high = unit;
        else if (Character.isSurrogate(unit)) lone(unit);
        else point(unit);
    }

    /** A string is over: what comes next is no part of it. */
    void end() {
        if (high != 0) half();
    }

    private void half() {
        char unit = high;
        high = 0;
        lone(unit);
    }

    private void lone(char unit) {
        lone = true;
        point(policy == Lone.KEPT ? unit : '?');
    }

    private void point(int point) {
        room(4);
        if (point < 0x80) {
            put(point);
            return;
        }
        if (point < 0x800) {
            put(0xC0 | point >> 6);
        } else {
            if (point < 0x10000) {
                put(0xE0 | point >> 12);
            } else {
                put(0xF0 | point >> 18);
                put(0x80 | point >> 12 & 0x3F);
            }
            put(0x80 | point >> 6 & 0x3F);
        }
        put(0x80 | point & 0x3F);
    }

    /** One byte: a character of ASCII, or a part of what is none. */
    void put(int one) {
        if (length == most) {
            cut = true;
            return;
        }
        room(1);
        bytes[length++] = (byte) one;
    }

    private void room(int more) {
        if (length + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }

    /** Takes out what is in between. */
    void remove(int from, int to) {
        System.arraycopy(bytes, to, bytes, from, length - to);
        length -= to - from;
    }

    boolean is(byte[] other) {
        return !cut && Arrays.equals(bytes, 0, length, other, 0, other.length);
    }

    /** Not to be asked of what was cut. */
    String text() {
        return lone ? withHalves() : new String(bytes, 0, length, UTF_8);
    }

    private String withHalves() {
        StringBuilder text = new StringBuilder(length);
        for (int at = 0; at < length; ) {
            int lead = bytes[at] & 0xFF;
            int size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
            int point = size == 1 ? lead : lead & 0x7F >> size;
            for (int i = 1; i < size; i++) point = point << 6 | bytes[at + i] & 0x3F;
            text.appendCodePoint(point);
            at += size;
        }
        return text.toString();
    }
}
