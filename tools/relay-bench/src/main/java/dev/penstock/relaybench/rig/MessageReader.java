package dev.penstock.relaybench.rig;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where one HTTP/1.1 message ends, by its length or its last chunk, and how many events went by. Trusts its peer: it is
 * fed by the contenders, not by the world.
 */
final class MessageReader {
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding: chunked".getBytes(StandardCharsets.US_ASCII);

    /** CR LF 0 CR LF CR LF: the last chunk, behind the end of the one before it. */
    private static final long LAST_CHUNK = 0x0D0A_300D_0A0D_0AL;

    private static final long SEVEN_BYTES = 0xFF_FFFF_FFFF_FFFFL;
    private static final int CR_LF = 0x0D0A;

    /** The head, and as much of the body behind it as there is room for. */
    final byte[] start = new byte[4_096];

    private int kept;
    private int headLength;
    private long bodyLeft;
    private boolean chunked;
    private long tail;
    private int events;

    void clear() {
        kept = 0;
        headLength = 0;
        bodyLeft = 0;
        chunked = false;
        events = 0;
    }

    int kept() {
        return kept;
    }

    /** Nothing of the message has come yet. */
    boolean untouched() {
        return kept == 0;
    }

    /** Of a response. */
    int status() {
        return (start[9] - '0') * 100 + (start[10] - '0') * 10 + start[11] - '0';
    }

    /** Blank lines in a chunked body. */
    int events() {
        return events;
    }

    /** Takes all of the bytes; true when the message is complete. */
    boolean feed(ByteBuffer in) {
        int from = kept;
        int room = Math.min(in.remaining(), start.length - kept);
        if (room > 0) {
            in.get(in.position(), start, kept, room);
            kept += room;
        }
        if (headLength == 0) {
            headLength = headEnd(from);
            if (headLength == 0) {
                if (kept == start.length) throw new IllegalStateException("a head of more than " + kept + " bytes");
                return false;
            }
            readHead();
            in.position(in.position() + headLength - from);
        }
        return chunked ? scan(in) : skip(in);
    }

    private int headEnd(int from) {
        for (int i = Math.max(3, from); i < kept; i++) {
            if (start[i] == '\n' && start[i - 1] == '\r' && start[i - 2] == '\n' && start[i - 3] == '\r') return i + 1;
        }
        return 0;
    }

    private void readHead() {
        for (int i = 0; i < headLength; i++) {
            if (start[i] != '\n') continue;
            if (matches(i + 1, LENGTH)) bodyLeft = number(i + 1 + LENGTH.length);
            else if (matches(i + 1, CHUNKED)) chunked = true;
        }
        tail = CR_LF;
    }

    private boolean matches(int at, byte[] lowerCase) {
        if (at + lowerCase.length > headLength) return false;
        for (int i = 0; i < lowerCase.length; i++) {
            int c = start[at + i];
            if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
            if (c != lowerCase[i]) return false;
        }
        return true;
    }

    private long number(int at) {
        long number = 0;
        for (int i = at; start[i] != '\r'; i++) if (start[i] != ' ') number = number * 10 + start[i] - '0';
        return number;
    }

    private boolean skip(ByteBuffer in) {
        bodyLeft -= in.remaining();
        in.position(in.limit());
        return bodyLeft <= 0;
    }

    private boolean scan(ByteBuffer in) {
        long last = tail;
        int blank = 0;
        int end = in.limit();
        for (int i = in.position(); i < end; i++) {
            int b = in.get(i);
            if (b == '\n' && (last & 0xFF) == '\n') blank++;
            last = last << 8 | b & 0xFF;
        }
        in.position(end);
        tail = last;
        events += blank;
        return (last & SEVEN_BYTES) == LAST_CHUNK;
    }
}
