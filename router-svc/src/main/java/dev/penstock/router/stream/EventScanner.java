package dev.penstock.router.stream;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * Reads along with one stream of server-sent events, wherever its chunks are cut: finds the events (WHATWG: lines end with LF,
 * CRLF or CR, in any mix), and reads of each what the {@link Notes} keep. Copies a chunk once into the event loop's scratch;
 * keeps what an unfinished event has so far, up to 256 kB of it. Parses no JSON.
 */
public final class EventScanner {
    private static final int MOST_KEPT = 256 << 10;
    private static final int FIRST_KEPT = 512;
    private static final byte[] NOTHING = {};

    private final Framing framing;
    private final byte[] scratch;
    private final Notes notes = new Notes();
    private byte[] kept = NOTHING;
    private int keptLength;
    private int lineLength;
    private boolean eventBegun;
    private boolean afterCr;

    /** @param scratch of the event loop, any size */
    public EventScanner(Framing framing, byte[] scratch) {
        this.framing = framing;
        this.scratch = scratch;
    }

    public Notes notes() {
        return notes;
    }

    /** The stream's next bytes. */
    public void feed(Buffer chunk) {
        int length = chunk.length();
        for (int from = 0; from < length; from += scratch.length) {
            int part = Math.min(scratch.length, length - from);
            chunk.getBytes(from, from + part, scratch, 0);
            scan(part);
        }
    }

    /** The body is over: what is left counts as an event, though no blank line ended it. */
    public void end() {
        if (keptLength > 0) {
            read(kept, 0, keptLength);
            keptLength = 0;
        }
        kept = NOTHING;
    }

    /** What must be written before an event of our own, so that it is one: the stream may have stopped anywhere. */
    public String separator() {
        if (lineLength > 0) return "\n\n";
        return eventBegun ? "\n" : "";
    }

    private void scan(int length) {
        byte[] a = scratch;
        int begin = 0;
        int line = lineLength;
        for (int i = 0; i < length; i++) {
            byte b = a[i];
            if (b > '\r' || b != '\n' && b != '\r') {
                line++;
                afterCr = false;
                continue;
            }
            if (b == '\n' && afterCr) {
                afterCr = false;
                // the second half of a CRLF; it belongs to no event
                if (begin == i) begin = i + 1;
                continue;
            }
            afterCr = b == '\r';
            if (line > 0) {
                line = 0;
                eventBegun = true;
            } else if (eventBegun) {
                over(a, begin, i);
                begin = i + 1;
            } else begin = i + 1;
        }
        lineLength = line;
        if (begin < length) keep(a, begin, length);
    }

    private void over(byte[] a, int from, int to) {
        eventBegun = false;
        if (keptLength == 0) {
            read(a, from, to);
        } else {
            keep(a, from, to);
            read(kept, 0, keptLength);
            keptLength = 0;
        }
    }

    private void keep(byte[] a, int from, int to) {
        int more = Math.min(to - from, MOST_KEPT - keptLength);
        if (more <= 0) return;
        if (keptLength + more > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(FIRST_KEPT, Math.max(2 * kept.length, keptLength + more)));
        }
        System.arraycopy(a, from, kept, keptLength, more);
        keptLength += more;
    }

    private void read(byte[] a, int from, int to) {
        notes.events++;
        switch (framing) {
            case CHAT -> EventReader.chat(a, from, to, notes);
            case RESPONSES -> EventReader.responses(a, from, to, notes);
            case MESSAGES -> EventReader.messages(a, from, to, notes);
            case OTHER -> EventReader.other(a, from, to, notes);
        }
    }
}
