package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.engine.BodyDigest;
import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.step.Sequence;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One generation request and its answer. Whatever the ending (whole answer, error, client gone, cut), it is booked in
 * {@link #settle}, once, and before the client can see it: a client that has read the end of an answer may count on its
 * request being out of the in-flight number.
 */
final class Exchange {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final EngineParts engine;
    private final String id;
    private final long openedNanos;
    private final BodyDigest digest = new BodyDigest();
    private List<Sequence> sequences = List.of();
    private @Nullable StreamPieces pieces;
    private LoadedAdapters.@Nullable Use use;
    private Runnable whenSettled = () -> {};
    private boolean settled;

    /** @param id what the engine was given as X-Request-Id, or made up */
    Exchange(HttpServerRequest request, EngineParts engine, String id) {
        this.request = request;
        this.response = request.response();
        this.engine = engine;
        this.id = id;
        this.openedNanos = engine.requests().opened();
        engine.http().opened(request.path());
    }

    /** @param abandoned called when the client goes away before the answer is whole */
    void whenAbandoned(Runnable abandoned) {
        response.closeHandler(_ -> {
            if (settle(Ending.CANCELLED)) {
                abandoned.run();
            }
        });
    }

    /** @param done called once the answer has ended, in whatever way */
    void whenSettled(Runnable done) {
        whenSettled = done;
    }

    /** What works for this request; the book of cancellations tells how far they came. */
    void works(String model, List<Sequence> sequences) {
        this.sequences = sequences;
        use = engine.adapters().begin(model, sequences);
    }

    String id() {
        return id;
    }

    /** False once the answer has ended, in whatever way. */
    boolean open() {
        return !settled;
    }

    void reject(ErrorReply reply) {
        respond(reply.status(), reply.json(), Ending.REJECTED);
    }

    void answer(String json) {
        respond(200, json, Ending.COMPLETED);
    }

    /** Sends the head, unless it is sent. */
    void startStream() {
        if (pieces == null) {
            pieces = StreamPieces.asAskedBy(
                    engine.vertx(), request, digest, engine.fault().get());
            response.setChunked(true).putHeader("content-type", "text/event-stream; charset=utf-8");
            response.writeHead();
        }
    }

    boolean streaming() {
        return pieces != null;
    }

    void write(String event) {
        startStream();
        if (pieces != null) {
            pieces.write(event);
        }
    }

    void endStream() {
        finish(Ending.COMPLETED, response::end);
    }

    /** Ends the stream before it is whole, one way or another: what is sent is sent. */
    void cut(Fault.Cut cut) {
        finish(Ending.CUT, () -> {
            switch (cut) {
                case FIN -> request.connection().close();
                case RST -> Connections.reset(request.connection());
                case CLEAN -> response.end();
            }
        });
    }

    private void finish(Ending ending, Runnable end) {
        startStream();
        if (pieces != null) {
            pieces.finish(() -> {
                if (settle(ending)) {
                    end.run();
                }
            });
        }
    }

    private void respond(int status, String json, Ending ending) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        digest.update(body);
        response.setStatusCode(status).putHeader("content-type", "application/json");
        if (settle(ending)) {
            response.end(Buffer.buffer(body));
        }
    }

    private boolean settle(Ending ending) {
        if (settled) {
            return false;
        }
        settled = true;
        whenSettled.run();
        if (use != null) {
            engine.adapters().end(use);
        }
        int generated = sequences.stream().mapToInt(Sequence::generatedTokens).sum();
        engine.requests().ended(id, ending, openedNanos, generated);
        engine.bodies().add(digest.ended(id, ending));
        long nanos = engine.nanoClock().getAsLong() - openedNanos;
        engine.http().answered(request.path(), response.getStatusCode(), nanos, request.bytesRead(), digest.bytes());
        return true;
    }
}
