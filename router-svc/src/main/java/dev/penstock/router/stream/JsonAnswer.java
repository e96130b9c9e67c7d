package dev.penstock.router.stream;

import dev.penstock.model.Outcome;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads along with one whole JSON answer: its beginning tells an error with a 200, its end has the usage. Between them nothing
 * is looked at, so that a body of any size costs little more than its relay.
 */
public final class JsonAnswer {
    private static final int END = 1_024;

    private final Framing framing;
    private final byte[] scratch;
    private final Notes notes = new Notes();
    private byte @Nullable [] end;
    private int endLength;
    private boolean begun;

    /** @param scratch of the event loop, at least 1 kB */
    public JsonAnswer(Framing framing, byte[] scratch) {
        this.framing = framing;
        this.scratch = scratch;
    }

    public Notes notes() {
        return notes;
    }

    /**
     * The body's next bytes.
     *
     * @param whole they are all of it
     */
    public void feed(Buffer chunk, boolean whole) {
        int length = Math.min(chunk.length(), scratch.length);
        if (!begun) {
            begun = true;
            chunk.getBytes(0, length, scratch, 0);
            if (KeyReader.isError(scratch, 0, length)) notes.errorCode = ErrorCode.of(scratch, 0, length);
            if (whole && length == chunk.length()) {
                readWhole(length);
                return;
            }
            notes.content = notes.errorCode == 0;
        }
        keepEnd(chunk);
    }

    public void end() {
        byte[] last = end;
        if (last != null) KeyReader.usageOnly(last, 0, endLength, notes);
        end = null;
    }

    private void readWhole(int length) {
        if (notes.errorCode != 0) return;
        if (framing == Framing.CHAT) {
            KeyReader.choices(scratch, 0, length, notes);
            // a message may well be empty, if it was not aborted
            notes.content |= !notes.aborted;
        } else {
            KeyReader.usageOnly(scratch, Math.max(0, length - END), length, notes);
            notes.content = true;
        }
        notes.done = true;
    }

    private void keepEnd(Buffer chunk) {
        byte[] last = end;
        if (last == null) end = last = new byte[END];
        int size = chunk.length();
        if (size >= END) {
            chunk.getBytes(size - END, size, last, 0);
            endLength = END;
            return;
        }
        int stays = Math.min(endLength, END - size);
        System.arraycopy(last, endLength - stays, last, 0, stays);
        chunk.getBytes(0, size, last, stays);
        endLength = stays + size;
    }

    /** How it went, with status 200 and a clean end. */
    public Outcome outcome() {
        if (notes.errorCode != 0) return Notes.ofCode(notes.errorCode);
        return notes.refused() ? Outcome.BACKPRESSURE : Outcome.OK;
    }
}
