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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One generation request and its answer. Whatever the ending (whole answer, error, client gone, cut), it is booked in
 * {@link #settle}, once, and before the client can see it: a client that has read the end of an answer may count on its
 * request being out of the in-flight number.
 */
public final class Exchange {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final EngineParts engine;
    private final String id;
    private final UnaryOperator<ErrorReply> envelope;
    private final long openedNanos;
    private final BodyDigest digest = new BodyDigest();
    private List<Sequence> sequences = List.of();
    private @Nullable StreamPieces pieces;
    private LoadedAdapters.@Nullable Use use;
    private Runnable whenSettled = () -> {};
    private boolean settled;

    /**
     * Books a request that has arrived.
     *
     * @param id what the engine was given as X-Request-Id, or made up
     * @param envelope puts errors as this path's API has them
     */
    Exchange(HttpServerRequest request, EngineParts engine, String id, UnaryOperator<ErrorReply> envelope) {
        this.request = request;
        this.response = request.response();
        this.engine = engine;
        this.id = id;
        this.envelope = envelope;
        this.openedNanos = engine.requests().opened();
        engine.http().opened(request.path());
    }

    /** @param abandoned called when the client goes away before the answer is whole */
    public void whenAbandoned(Runnable abandoned) {
        response.closeHandler(_ -> {
            if (settle(Ending.CANCELLED)) {
                abandoned.run();
            }
        });
    }

    /** @param done called once the answer has ended, in whatever way */
    public void whenSettled(Runnable done) {
        whenSettled = done;
    }

    /** What works for this request; the book of cancellations tells how far they came. */
    public void works(String model, List<Sequence> sequences) {
        this.sequences = sequences;
        use = engine.adapters().begin(model, sequences);
    }

    public String id() {
        return id;
    }

    /** False once the answer has ended, in whatever way. */
    public boolean open() {
        return !settled;
    }

    /** Of the answer; before anything is sent. */
    void header(String name, String value) {
        response.putHeader(name, value);
    }

    public void reject(ErrorReply reply) {
        ErrorReply put = envelope.apply(reply);
        respond(put.status(), "application/json", put.json(), Ending.REJECTED);
    }

    ErrorReply inEnvelope(ErrorReply reply) {
        return envelope.apply(reply);
    }

    public void answer(String json) {
        answer("application/json", json);
    }

    void answer(String contentType, String text) {
        respond(200, contentType, text, Ending.COMPLETED);
    }

    /** Sends the head of a stream of events, unless it is sent. */
    void startStream() {
        startStream("text/event-stream; charset=utf-8");
    }

    /** Sends the head, unless it is sent. */
    public void startStream(String contentType) {
        if (pieces == null) {
            pieces = StreamPieces.asAskedBy(
                    engine.vertx(), request, digest, engine.fault().get());
            response.setChunked(true).putHeader("content-type", contentType);
            response.writeHead();
        }
    }

    boolean streaming() {
        return pieces != null;
    }

    void write(String event) {
        if (!event.isEmpty()) {
            startStream();
            write(event.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** After {@link #startStream}. */
    public void write(byte[] bytes) {
        if (pieces != null) {
            pieces.write(bytes);
        }
    }

    public void endStream() {
        finish(Ending.COMPLETED, response::end);
    }

    /** Ends the stream before it is whole, one way or another: what is sent is sent. */
    public void cut(Fault.Cut cut) {
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

    private void respond(int status, String contentType, String text, Ending ending) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        digest.update(body);
        response.setStatusCode(status).putHeader("content-type", contentType);
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
