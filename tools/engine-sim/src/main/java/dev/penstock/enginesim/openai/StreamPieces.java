package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.engine.BodyDigest;
import dev.penstock.enginesim.fault.Fault;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stream's bytes: one HTTP chunk an event, or, for requests with {@code x-sim-split: N}, chunks of N bytes that
 * respect neither events nor characters; what does not fill a piece waits for the next event or the end. With the fault
 * {@code slow-loris} such pieces go out one at a time, with a pause between them.
 */
final class StreamPieces {
    private static final int WHOLE_EVENTS = 0;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final BodyDigest digest;
    private final int pieceBytes;
    private final long pauseMillis;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private byte[] held = new byte[0];
    private boolean paused;
    private @Nullable Runnable whenSent;

    private StreamPieces(
            Vertx vertx, HttpServerResponse response, BodyDigest digest, int pieceBytes, long pauseMillis) {
        this.vertx = vertx;
        this.response = response;
        this.digest = digest;
        this.pieceBytes = pieceBytes;
        this.pauseMillis = pauseMillis;
    }

    static StreamPieces asAskedBy(Vertx vertx, HttpServerRequest request, BodyDigest digest, Fault fault) {
        if (fault instanceof Fault.SlowLoris loris) {
            return new StreamPieces(vertx, request.response(), digest, loris.bytes(), loris.pauseMillis());
        }
        String split = request.getHeader("x-sim-split");
        int pieceBytes = WHOLE_EVENTS;
        if (split != null) {
            try {
                pieceBytes = Math.max(1, Integer.parseInt(split));
            } catch (NumberFormatException _) {
                // A test's typing error shows in the test: its pieces come out whole.
            }
        }
        return new StreamPieces(vertx, request.response(), digest, pieceBytes, 0);
    }

    void write(byte[] bytes) {
        if (pieceBytes == WHOLE_EVENTS) {
            send(bytes);
            return;
        }
        byte[] all = Arrays.copyOf(held, held.length + bytes.length);
        System.arraycopy(bytes, 0, all, held.length, bytes.length);
        int from = 0;
        for (; all.length - from >= pieceBytes; from += pieceBytes) {
            send(Arrays.copyOfRange(all, from, from + pieceBytes));
        }
        held = Arrays.copyOfRange(all, from, all.length);
    }

    /** Runs this when the last piece is written: at once, unless pieces wait for their pause. */
    void finish(Runnable end) {
        if (held.length > 0) {
            send(held);
            held = new byte[0];
        }
        if (waiting.isEmpty()) {
            end.run();
        } else {
            whenSent = end;
        }
    }

    private void send(byte[] bytes) {
        if (paused) {
            waiting.add(bytes);
        } else {
            put(bytes);
        }
    }

    private void put(byte[] bytes) {
        digest.update(bytes);
        response.write(Buffer.buffer(bytes));
        if (pauseMillis > 0) {
            paused = true;
            vertx.setTimer(pauseMillis, _ -> putNext());
        }
    }

    private void putNext() {
        paused = false;
        byte[] next = response.closed() ? null : waiting.poll();
        if (next != null) {
            put(next);
        }
        if (waiting.isEmpty() && whenSent != null && !response.closed()) {
            Runnable end = whenSent;
            whenSent = null;
            end.run();
        }
    }
}
