package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.engine.BodyDigest;
import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.engine.RequestBook;
import dev.penstock.enginesim.engine.SentBodies;
import dev.penstock.enginesim.metrics.HttpMetrics;
import dev.penstock.enginesim.step.Sequence;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One generation request and its answer. Whatever the ending (whole answer, error, client gone, cut), it is booked in
 * {@link #settle}, once, and before the client can see it: a client that has read the end of an answer may count on its
 * request being out of the in-flight number.
 */
final class Exchange {
    /** What exchanges of an engine write to. */
    record Books(RequestBook requests, SentBodies bodies, HttpMetrics http, LongSupplier nanoClock) {}

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Books books;
    private final String id;
    private final long openedNanos;
    private final BodyDigest digest = new BodyDigest();
    private List<Sequence> sequences = List.of();
    private @Nullable StreamPieces pieces;
    private boolean settled;

    /** @param id what the engine was given as X-Request-Id, or made up */
    Exchange(HttpServerRequest request, Books books, String id) {
        this.request = request;
        this.response = request.response();
        this.books = books;
        this.id = id;
        this.openedNanos = books.requests().opened();
    }

    /** @param abandoned called when the client goes away before the answer is whole */
    void whenAbandoned(Runnable abandoned) {
        response.closeHandler(_ -> {
            if (settle(Ending.CANCELLED)) {
                abandoned.run();
            }
        });
    }

    /** What works for this request; the book of cancellations tells how far they came. */
    void works(List<Sequence> sequences) {
        this.sequences = sequences;
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

    /** Sends the head: vLLM does so before the first token. */
    void startStream() {
        pieces = StreamPieces.asAskedBy(request, digest);
        response.setChunked(true).putHeader("content-type", "text/event-stream; charset=utf-8");
        response.writeHead();
    }

    void write(String event) {
        if (pieces != null) {
            pieces.write(event);
        }
    }

    void endStream() {
        if (pieces != null) {
            pieces.flush();
        }
        if (settle(Ending.COMPLETED)) {
            response.end();
        }
    }

    /** Closes the connection under the stream: what is sent is sent, but there is no last chunk. */
    void cut() {
        if (pieces != null) {
            pieces.flush();
        }
        if (settle(Ending.CUT)) {
            request.connection().close();
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
        int generated = sequences.stream().mapToInt(Sequence::generatedTokens).sum();
        books.requests().ended(id, ending, openedNanos, generated);
        books.bodies().add(digest.ended(id, ending));
        long nanos = books.nanoClock().getAsLong() - openedNanos;
        books.http().answered(request.path(), response.getStatusCode(), nanos, request.bytesRead(), digest.bytes());
        return true;
    }
}
