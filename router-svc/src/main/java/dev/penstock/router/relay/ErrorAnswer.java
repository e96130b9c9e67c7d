package dev.penstock.router.relay;

import dev.penstock.model.Outcome;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.EngineError;
import dev.penstock.router.stream.Notes;
import io.netty.util.AsciiString;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import org.jspecify.annotations.Nullable;

/**
 * An engine's answer with an error status. It is gathered, because it may be of no interest (somebody else is asked), and so
 * that its body is in the API's envelope, once. One that is too long for an error is relayed as it is.
 */
final class ErrorAnswer {
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
    private static final AsciiString CONTENT_ENCODING = AsciiString.cached("content-encoding");
    private static final AsciiString RETRY_AFTER = AsciiString.cached("retry-after");
    private static final AsciiString RETRY_AFTER_MS = AsciiString.cached("retry-after-ms");
    private static final int MOST_GATHERED = 64 << 10;

    private final Attempt attempt;
    private final HttpClientResponse response;
    private final int status;
    private Buffer body = Buffer.buffer();
    private boolean relaying;

    ErrorAnswer(Attempt attempt, HttpClientResponse response) {
        this.attempt = attempt;
        this.response = response;
        this.status = response.statusCode();
    }

    void begin() {
        response.handler(this::chunk);
        response.exceptionHandler(failure -> broken());
        response.endHandler(end -> {
            attempt.whole();
            ended();
        });
    }

    private void chunk(Buffer chunk) {
        attempt.heard();
        if (!attempt.hasFirstByte()) attempt.firstByte();
        if (attempt.settled()) return;
        if (relaying) write(chunk);
        else if (!attempt.exchange.toClient().committed()) gather(chunk);
    }

    private void gather(Buffer chunk) {
        body.appendBuffer(chunk);
        if (body.length() <= MOST_GATHERED) return;
        relaying = true;
        head();
        write(body);
        body = Buffer.buffer();
    }

    private void write(Buffer chunk) {
        ToClient client = attempt.exchange.toClient();
        if (client.write(chunk)) return;
        attempt.pauseEngine();
        client.whenReady(attempt.upstreams.nanoClock.getAsLong(), () -> {
            attempt.heard();
            attempt.resumeEngine();
        });
    }

    /** Nobody wants the rest; it is read until the connection ends. */
    void discard() {
        attempt.resumeEngine();
    }

    private void head() {
        attempt.exchange
                .toClient()
                .head(status, response.headers(), false, attempt.replicaName(), attempt.exchange.decision());
    }

    /** The status is known, only its words are lost. */
    private void broken() {
        if (relaying) attempt.brokenOff();
        else ended();
    }

    private void ended() {
        if (attempt.settled()) {
            attempt.overheard();
            return;
        }
        Outcome outcome = Notes.ofCode(status);
        ToClient client = attempt.exchange.toClient();
        if (relaying) {
            attempt.ended(outcome, null);
            client.end(null, response.trailers());
            return;
        }
        attempt.settle(outcome, true);
        if (attempt.failedOver(status)) return;
        attempt.exchange.ended(outcome);
        if (client.committed()) client.fail(ApiError.ofEngine(status));
        else answer(client);
    }

    private void answer(ToClient client) {
        head();
        var headers = attempt.exchange.asked().client().response().headers();
        @Nullable
        Buffer wrapped = response.headers().contains(CONTENT_ENCODING)
                ? null
                : EngineError.normalised(
                        status, body, attempt.exchange.asked().endpoint().envelope());
        if (wrapped != null) headers.set(CONTENT_TYPE, "application/json");
        Buffer sent = wrapped == null ? body : wrapped;
        headers.set(CONTENT_LENGTH, Integer.toString(sent.length()));
        if ((status == 429 || status == 503) && !headers.contains(RETRY_AFTER)) {
            headers.set(RETRY_AFTER, "1");
            headers.set(RETRY_AFTER_MS, "1000");
        }
        client.end(sent, null);
    }
}
