package dev.penstock.router.job;

import dev.penstock.router.relay.AnswerRewrite;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts our ids in the place of an engine's, in a JSON answer or in the events of a stream, and leaves every other byte as it is.
 * Holds back an id while it comes, which is 512 bytes at most: a longer one is none.
 */
final class IdRewrite implements AnswerRewrite {
    private static final Buffer NOTHING = Buffer.buffer(0);

    private final IdScan scan;
    private final @Nullable EventData events;
    private final IdNames names;
    private final byte[] value = new byte[JobId.LONGEST_ENGINE_ID];
    private int valueLength;
    private boolean holding;

    private IdRewrite(IdScan.Where where, @Nullable EventData events, IdNames names) {
        this.scan = new IdScan(where);
        this.events = events;
        this.names = names;
    }

    static IdRewrite ofJson(IdNames names) {
        return new IdRewrite(IdScan.Where.TOP, null, names);
    }

    static IdRewrite ofEvents(IdNames names) {
        return new IdRewrite(IdScan.Where.WITHIN_RESPONSE, new EventData(), names);
    }

    @Override
    public Buffer feed(Buffer chunk) {
        byte[] bytes = chunk.getBytes();
        Buffer out = null;
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            IdScan.Step step = step(bytes[i]);
            if (step == IdScan.Step.BEGINS) {
                out = joined(out, bytes, from, i + 1);
                holding = true;
                valueLength = 0;
            } else if (holding && (step == IdScan.Step.ENDS || broken(bytes[i]))) {
                out = joined(out, step == IdScan.Step.ENDS ? named() : held());
                holding = false;
            } else if (holding) value[valueLength++] = bytes[i];
            if (holding) from = i + 1;
        }
        if (out == null) return from == 0 ? chunk : NOTHING;
        return from == bytes.length ? out : joined(out, bytes, from, bytes.length);
    }

    private IdScan.Step step(byte b) {
        if (events == null || events.isData(b)) return scan.next(b);
        if (EventData.endsLine(b)) scan.restart();
        return IdScan.Step.NOTHING;
    }

    /** What is held can't be an id after all. */
    private boolean broken(byte b) {
        return valueLength == value.length || events != null && EventData.endsLine(b);
    }

    private byte[] named() {
        byte[] name = names.of(scan.field(), value, valueLength);
        return name == null ? held() : name;
    }

    private byte[] held() {
        return Arrays.copyOf(value, valueLength);
    }

    @Override
    public Buffer end() {
        if (!holding) return NOTHING;
        holding = false;
        return Buffer.buffer(held());
    }

    private static Buffer joined(@Nullable Buffer out, byte[] bytes) {
        return joined(out, bytes, 0, bytes.length);
    }

    private static Buffer joined(@Nullable Buffer out, byte[] bytes, int from, int to) {
        Buffer all = out == null ? Buffer.buffer(bytes.length) : out;
        return all.appendBytes(bytes, from, to - from);
    }
}
