package dev.penstock.router.realtime;

import io.vertx.core.buffer.Buffer;

/**
 * Where frames begin and end in one direction (RFC 6455 section 5.2): so much must be known to put a frame of our own between
 * two, to bound their length and to see a close. Payloads are not looked at, but for a close's code.
 */
final class FrameScan {
    /** Engines take less. */
    static final long MOST_PAYLOAD_BYTES = 16 << 20;

    static final int NO_CODE = 1005;

    private static final int CLOSE = 0x8;
    private static final int SHORT_HEAD = 2;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;
    private static final int MASK_BYTES = 4;

    private long left;
    private boolean close;
    private boolean masked;
    private int mask;
    private int codeBytes;
    private int code;
    private boolean closed;
    private boolean tooBig;

    /**
     * Reads on, until the first frame that is too big, or the end of a close.
     *
     * @return how many of the bytes may go on; what is left is the beginning of a frame's head and is to be given again, with
     *     more, unless {@link #tooBig} or {@link #closed}
     */
    int feed(Buffer bytes) {
        int at = 0;
        while (at < bytes.length() && !closed && !tooBig) {
            if (left == 0) {
                int payload = head(bytes, at);
                if (payload < 0) break;
                at = payload;
            } else {
                int count = (int) Math.min(left, bytes.length() - at);
                if (close) code(bytes, at, count);
                left -= count;
                at += count;
            }
            if (left == 0 && close) closed = true;
        }
        return at;
    }

    /** Where the payload begins, or -1 where the head is not whole or not acceptable. */
    private int head(Buffer bytes, int at) {
        int there = bytes.length() - at;
        if (there < SHORT_HEAD) return -1;
        int second = bytes.getUnsignedByte(at + 1);
        int length = second & 0x7f;
        int lengthBytes = length == LENGTH_16 ? 2 : length == LENGTH_64 ? 8 : 0;
        masked = (second & 0x80) != 0;
        int head = SHORT_HEAD + lengthBytes + (masked ? MASK_BYTES : 0);
        if (there < head) return -1;
        long payload = lengthBytes == 0
                ? length
                : lengthBytes == 2 ? bytes.getUnsignedShort(at + SHORT_HEAD) : bytes.getLong(at + SHORT_HEAD);
        if (payload < 0 || payload > MOST_PAYLOAD_BYTES) {
            tooBig = true;
            return -1;
        }
        mask = masked ? bytes.getInt(at + head - MASK_BYTES) : 0;
        close = (bytes.getByte(at) & 0xf) == CLOSE;
        left = payload;
        return at + head;
    }

    private void code(Buffer bytes, int at, int count) {
        for (int i = 0; i < count && codeBytes < 2; i++) {
            int clear = bytes.getByte(at + i) ^ mask >>> 24 - 8 * codeBytes;
            code = code << 8 | clear & 0xff;
            codeBytes++;
        }
    }

    /** Whether a frame of our own may be put in now. */
    boolean betweenFrames() {
        return left == 0;
    }

    boolean tooBig() {
        return tooBig;
    }

    /** Whether a whole close came. */
    boolean closed() {
        return closed;
    }

    int closeCode() {
        return codeBytes < 2 ? NO_CODE : code;
    }
}
