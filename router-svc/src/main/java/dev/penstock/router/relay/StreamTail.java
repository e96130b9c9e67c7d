package dev.penstock.router.relay;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * The last bytes of a stream, wherever its chunks were cut: enough to tell whether it ended with {@code [DONE]}. Copies
 * at most 32 bytes per chunk and parses nothing.
 */
final class StreamTail {
    private static final int KEPT = 32;
    private static final byte[] DONE = "[DONE]".getBytes(StandardCharsets.US_ASCII);

    private final byte[] tail = new byte[KEPT];
    private int length;

    void append(Buffer chunk) {
        int size = chunk.length();
        if (size >= KEPT) {
            chunk.getBytes(size - KEPT, size, tail);
            length = KEPT;
            return;
        }
        int kept = Math.min(length, KEPT - size);
        System.arraycopy(tail, length - kept, tail, 0, kept);
        chunk.getBytes(0, size, tail, kept);
        length = kept + size;
    }

    boolean sawDone() {
        for (int start = length - DONE.length; start >= 0; start--) {
            int matched = 0;
            while (matched < DONE.length && tail[start + matched] == DONE[matched]) matched++;
            if (matched == DONE.length) return true;
        }
        return false;
    }

    /** True when the stream stopped inside a line: an error event must first end it. */
    boolean insideLine() {
        return length > 0 && tail[length - 1] != '\n' && tail[length - 1] != '\r';
    }
}
