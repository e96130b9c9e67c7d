package dev.penstock.router.upload;

import dev.penstock.router.upload.FormFields.Field;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds a few fields of a {@code multipart/form-data} body (RFC 2046, 7578) as it comes, cut anywhere. Nothing is copied but
 * the headers of the part it is in and a value that is looked for; in all other content only the next CR is searched, because
 * no boundary has one: that also makes what was matched of a delimiter worthless at the first byte that is not its next one.
 *
 * <p>It goes on behind the model, to the end: a second one would make an engine read another request than was decided on.
 */
public final class MultipartScan {
    static final int MOST_HEAD_BYTES = 8 << 10;
    private static final int SHORT_HEAD_BYTES = 256;
    /** A body's first delimiter needs no line end before it. */
    private static final int LINE_END = 2;

    private final byte[] delimiter;
    private final FormFields fields = new FormFields();
    private final byte[] value = new byte[FormFields.MOST_VALUE_BYTES];
    private byte[] head = new byte[SHORT_HEAD_BYTES];
    private State state = State.CONTENT;
    /** Bytes of the delimiter that were just read. */
    private int matched = LINE_END;

    private long matchedFrom = -LINE_END;
    /** Bytes of the body that were read. */
    private long at;

    private int headLength;
    private int valueLength;
    private @Nullable Field field;
    private boolean inFile;
    private long contentFrom;
    private @Nullable FormFault fault;

    private enum State {
        /** Of a part, or before the first one. */
        CONTENT,
        /** Behind a delimiter. */
        DELIMITED,
        DELIMITED_HYPHEN,
        DELIMITED_BLANK,
        DELIMITED_CR,
        HEAD,
        /** Behind the final boundary. */
        CLOSED
    }

    /** @param boundary see {@link Boundary#of} */
    public MultipartScan(String boundary) {
        delimiter = Boundary.delimiter(boundary);
    }

    public FormFields fields() {
        return fields;
    }

    /** Whether the final boundary came. */
    public boolean closed() {
        return state == State.CLOSED;
    }

    /** Whether the part that is coming is a file. */
    public boolean inFile() {
        return inFile;
    }

    /** What is wrong with the form so far, or null; nothing is read after that. */
    public @Nullable FormFault fault() {
        return fault;
    }

    /** The body is over. */
    public @Nullable FormFault finish() {
        if (fault != null) return fault;
        if (!closed()) return FormFault.NO_END;
        return fields.model() == null ? FormFault.NO_MODEL : null;
    }

    public void feed(Buffer chunk) {
        ByteBuf bytes = ((BufferInternal) chunk).getByteBuf();
        int from = bytes.readerIndex();
        int to = bytes.writerIndex();
        int i = from;
        while (i < to && fault == null && state != State.CLOSED) {
            if (state == State.CONTENT && matched == 0 && field == null) {
                int next = bytes.indexOf(i, to, (byte) '\r');
                int until = next < 0 ? to : next;
                at += until - i;
                i = until;
                if (i == to) break;
            }
            step(bytes.getByte(i++));
            at++;
        }
    }

    private void step(byte b) {
        if (field != null && valueLength < value.length) value[valueLength++] = b;
        switch (state) {
            case CONTENT -> content(b);
            case DELIMITED -> {
                if (b == '-') state = State.DELIMITED_HYPHEN;
                else behindDelimiter(b);
            }
            case DELIMITED_BLANK -> behindDelimiter(b);
            case DELIMITED_HYPHEN -> {
                if (b == '-') {
                    endPart();
                    state = State.CLOSED;
                } else contentAfterAll(b);
            }
            case DELIMITED_CR -> {
                if (b == '\n') {
                    endPart();
                    headLength = 0;
                    state = State.HEAD;
                } else {
                    // That CR may begin the next one.
                    matched = 1;
                    matchedFrom = at - 1;
                    state = State.CONTENT;
                    content(b);
                }
            }
            case HEAD -> head(b);
            case CLOSED -> {}
        }
    }

    private void content(byte b) {
        if (b == delimiter[matched]) {
            if (matched == 0) matchedFrom = at;
            matched++;
            if (matched == delimiter.length) state = State.DELIMITED;
        } else if (b == '\r') {
            matched = 1;
            matchedFrom = at;
        } else matched = 0;
    }

    /** A delimiter's line may have blanks before its end. */
    private void behindDelimiter(byte b) {
        if (b == ' ' || b == '\t') state = State.DELIMITED_BLANK;
        else if (b == '\r') state = State.DELIMITED_CR;
        else contentAfterAll(b);
    }

    /** The boundary was only the beginning of a longer word. */
    private void contentAfterAll(byte b) {
        state = State.CONTENT;
        matched = 0;
        content(b);
    }

    private void endPart() {
        Field ended = field;
        field = null;
        inFile = false;
        if (ended != null) fault = fields.take(ended, value, contentFrom, matchedFrom - contentFrom);
    }

    private void head(byte b) {
        if (headLength == MOST_HEAD_BYTES) {
            fault = FormFault.HEADERS_TOO_LONG;
            return;
        }
        if (headLength == head.length) head = Arrays.copyOf(head, MOST_HEAD_BYTES);
        head[headLength++] = b;
        if (b == '\n' && headOver()) beginPart();
    }

    /** An empty line ends it, and may be all of it. */
    private boolean headOver() {
        if (headLength < 2 || head[headLength - 2] != '\r') return false;
        return headLength == 2 || headLength >= 4 && head[headLength - 3] == '\n' && head[headLength - 4] == '\r';
    }

    private void beginPart() {
        PartHead part = PartHead.parse(head, headLength - LINE_END);
        if (part == null) {
            fault = FormFault.HEADERS_UNCLEAR;
            return;
        }
        field = Field.of(part);
        inFile = part.file();
        valueLength = 0;
        contentFrom = at + 1;
        matched = 0;
        state = State.CONTENT;
    }
}
