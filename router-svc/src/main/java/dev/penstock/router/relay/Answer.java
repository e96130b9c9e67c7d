package dev.penstock.router.relay;

import dev.penstock.model.Outcome;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.stream.EventScanner;
import dev.penstock.router.stream.JsonAnswer;
import dev.penstock.router.stream.Notes;
import io.netty.util.AsciiString;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import org.jspecify.annotations.Nullable;

/**
 * Relays one answer that is no error by its status, byte for byte and as it comes. Its head is held until what came
 * with its first event has been read: an engine that is full may say so with a 200. A slow client pauses the engine's connection.
 */
final class Answer {
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
    private static final AsciiString CONTENT_ENCODING = AsciiString.cached("content-encoding");
    /** Opening events say nothing yet; what is longer than this is content, however it is worded. */
    private static final int MOST_HELD = 64 << 10;

    private final Attempt attempt;
    private final HttpClientResponse response;
    private final @Nullable EventScanner events;
    private final @Nullable JsonAnswer json;
    private final @Nullable AnswerRewrite rewrite;
    private final boolean eventStream;
    private final long length;
    private @Nullable Buffer held;
    private boolean opened;
    private boolean discarded;

    private Answer(
            Attempt attempt,
            HttpClientResponse response,
            @Nullable EventScanner events,
            @Nullable JsonAnswer json,
            @Nullable AnswerRewrite rewrite,
            boolean eventStream,
            long length) {
        this.attempt = attempt;
        this.response = response;
        this.events = events;
        this.json = json;
        this.rewrite = rewrite;
        this.eventStream = eventStream;
        this.length = length;
    }

    static Answer of(Attempt attempt, HttpClientResponse response) {
        String type = response.headers().get(CONTENT_TYPE);
        boolean stream = type != null && type.regionMatches(true, 0, "text/event-stream", 0, 17);
        boolean json = type != null && type.regionMatches(true, 0, "application/json", 0, 16);
        // What is compressed is relayed unread.
        boolean readable = !response.headers().contains(CONTENT_ENCODING);
        Asked asked = attempt.exchange.asked();
        byte[] scratch = attempt.upstreams.scratch;
        return new Answer(
                attempt,
                response,
                stream && readable ? new EventScanner(asked.endpoint().framing(), scratch) : null,
                json && readable ? new JsonAnswer(asked.endpoint().framing(), scratch) : null,
                readable && (stream || json) ? attempt.upstreams.rewrites.of(asked, attempt.replica(), stream) : null,
                stream,
                length(response.headers().get(CONTENT_LENGTH)));
    }

    /** -1 where it is not told, or told wrongly: then the connection says where the body ends. */
    private static long length(@Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > 18) return -1;
        long length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') return -1;
            length = length * 10 + c - '0';
        }
        return length;
    }

    void begin() {
        response.handler(this::chunk);
        response.exceptionHandler(failure -> attempt.brokenOff());
        response.endHandler(end -> ended());
    }

    boolean eventStream() {
        return eventStream;
    }

    /** What was read along, or null. */
    @Nullable
    Notes notes() {
        if (events != null) return events.notes();
        return json == null ? null : json.notes();
    }

    String separator() {
        return events == null ? "" : events.separator();
    }

    private void head() {
        attempt.exchange
                .toClient()
                .head(
                        response.statusCode(),
                        response.headers(),
                        eventStream,
                        attempt.replicaName(),
                        attempt.exchange.decision());
    }

    private void chunk(Buffer chunk) {
        if (discarded) return;
        attempt.heard();
        if (!attempt.hasFirstByte()) attempt.firstByte();
        ToClient client = attempt.exchange.toClient();
        boolean begun = client.committed() && !client.early();
        if (events != null) {
            events.feed(chunk);
            Buffer passed = rewritten(chunk);
            if (begun) write(client, passed);
            else hold(client, events.notes(), passed);
        } else if (json != null) {
            boolean whole = chunk.length() == length;
            json.feed(chunk, whole);
            Buffer passed = rewritten(chunk);
            if (begun) write(client, passed);
            else if (whole) held = passed;
            else hold(client, json.notes(), passed);
        } else if (begun) write(client, chunk);
        else {
            held = chunk;
            commit(client);
        }
    }

    private Buffer rewritten(Buffer chunk) {
        return rewrite == null ? chunk : rewrite.feed(chunk);
    }

    /** Sends what is known not to be a refusal. */
    private void hold(ToClient client, Notes notes, Buffer chunk) {
        held = held == null ? chunk : Buffer.buffer().appendBuffer(held).appendBuffer(chunk);
        if (notes.refused()) refused(notes.refusedStatus());
        else if (held.length() > MOST_HELD || held.length() > 0 && known(notes)) commit(client);
        else if (notes.events() > 0 && !opened) {
            opened = true;
            attempt.upstreams.soon(this::opened);
        }
    }

    /** Whether what follows changes nothing: one that is rewritten has its length told at its end. */
    private boolean known(Notes notes) {
        return json == null ? notes.decided() : rewrite == null;
    }

    /** What came together with the opening events has been read, and it is no refusal. */
    private void opened() {
        ToClient client = attempt.exchange.toClient();
        if (held != null && held.length() > 0 && !discarded && !attempt.exchange.over()) commit(client);
    }

    private void commit(ToClient client) {
        Buffer first = held;
        held = null;
        if (client.early() && !eventStream) {
            // A stream was promised: what came instead can't be put into it.
            attempt.exchange.giveUp(Outcome.CLIENT_ERROR, ApiError.notAStream());
            return;
        }
        client.answerBegan();
        head();
        if (rewrite != null) client.unknownLength();
        if (first != null) write(client, first);
    }

    private void write(ToClient client, Buffer chunk) {
        if (chunk.length() == 0 || client.write(chunk)) return;
        attempt.pauseEngine();
        client.whenReady(attempt.upstreams.nanoClock.getAsLong(), () -> {
            attempt.heard();
            attempt.resumeEngine();
        });
    }

    private void ended() {
        attempt.whole();
        if (discarded) {
            attempt.overheard();
            return;
        }
        if (events != null) events.end();
        if (json != null) json.end();
        Notes notes = notes();
        ToClient client = attempt.exchange.toClient();
        boolean open = !client.committed() || client.early();
        if (open && notes != null && notes.refused()) {
            refused(notes.refusedStatus());
            return;
        }
        Buffer last = null;
        if (open) {
            if (client.early() && !eventStream) {
                commit(client);
                return;
            }
            client.answerBegan();
            head();
            last = held;
            held = null;
        }
        attempt.ended(outcome(notes), notes);
        if (rewrite != null) client.endRewritten(last, rewrite.end(), response.trailers());
        else client.end(last, response.trailers());
    }

    private Outcome outcome(@Nullable Notes notes) {
        Asked asked = attempt.exchange.asked();
        if (events != null && notes != null)
            return notes.outcome(asked.endpoint().framing(), asked.choices());
        return json == null ? Outcome.OK : json.outcome();
    }

    /** The engine is full, and said so with a 200. */
    private void refused(int status) {
        attempt.stop(Outcome.BACKPRESSURE);
        if (attempt.failedOver(status)) return;
        attempt.exchange.ended(Outcome.BACKPRESSURE);
        attempt.exchange
                .toClient()
                .refuse(ApiError.saturated(status, attempt.exchange.asked().model()));
    }

    /** The event that ends its stream has been sent on: a client takes no more from it. */
    boolean saidAll() {
        return events != null && held == null && events.notes().done() && outcome(events.notes()) == Outcome.OK;
    }

    /** No byte for as long as is allowed: whole but for its end, or stalled. */
    void silent() {
        Notes notes = notes();
        if (events != null && notes != null && outcome(notes) == Outcome.OK) {
            ToClient client = attempt.exchange.toClient();
            attempt.stop(Outcome.OK);
            attempt.exchange.ended(Outcome.OK);
            client.end(rewrite == null ? null : rewrite.end(), null);
            return;
        }
        attempt.exchange.giveUp(Outcome.STALLED, ApiError.upstreamTimeout());
    }

    /** Nobody wants the rest; it is read until the connection ends. */
    void discard() {
        discarded = true;
        held = null;
        attempt.resumeEngine();
    }
}
