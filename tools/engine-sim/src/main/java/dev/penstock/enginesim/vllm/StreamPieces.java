package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.engine.BodyDigest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a stream's bytes: one HTTP chunk an event, or, for requests with {@code x-sim-split: N}, chunks of N bytes that
 * respect neither events nor characters. What does not fill a piece waits for the next event or the end.
 */
final class StreamPieces {
    private static final int WHOLE_EVENTS = 0;

    private final HttpServerResponse response;
    private final BodyDigest digest;
    private final int pieceBytes;
    private byte[] held = new byte[0];

    private StreamPieces(HttpServerResponse response, BodyDigest digest, int pieceBytes) {
        this.response = response;
        this.digest = digest;
        this.pieceBytes = pieceBytes;
    }

    static StreamPieces asAskedBy(HttpServerRequest request, BodyDigest digest) {
        String split = request.getHeader("x-sim-split");
        int pieceBytes = WHOLE_EVENTS;
        if (split != null) {
            try {
                pieceBytes = Math.max(1, Integer.parseInt(split));
            } catch (NumberFormatException _) {
                // A test's typing error shows in the test: its pieces come out whole.
            }
        }
        return new StreamPieces(request.response(), digest, pieceBytes);
    }

    void write(String event) {
        byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
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

    void flush() {
        if (held.length > 0) {
            send(held);
            held = new byte[0];
        }
    }

    private void send(byte[] bytes) {
        digest.update(bytes);
        response.write(Buffer.buffer(bytes));
    }
}
