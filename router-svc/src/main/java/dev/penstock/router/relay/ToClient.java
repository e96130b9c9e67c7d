package dev.penstock.router.relay;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.stream.Framing;
import io.netty.util.AsciiString;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a request: what it was sent so far, and how that may still go on. An answer is committed with its first
 * byte; from then on a failure can only be told inside the stream.
 */
final class ToClient {
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString CACHE_CONTROL = AsciiString.cached("cache-control");
    private static final AsciiString BUFFERING = AsciiString.cached("x-accel-buffering");
    private static final Buffer KEEP_ALIVE = Buffer.buffer(": keep-alive\n\n");
    private static final AsciiString TRANSFER_ENCODING = AsciiString.cached("transfer-encoding");
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LAST_BYTES_NANOS = 60_000_000_000L;
    /** HTTP/2's: with no error a client may take what it has for the whole. */
    private static final long INTERNAL_ERROR = 2;

    private final Asked asked;
    private final Watch watch;
    private final HttpServerResponse response;
    private final long commitAfterMillis;
    private boolean committed;
    /** Committed by us, before the engine said anything. */
    private boolean early;

    private boolean eventStream;
    private long lastWriteNanos;
    private long fullSinceNanos;

    /** @param commitAfterMillis 0 = never before the engine's answer */
    ToClient(Asked asked, Watch watch, long commitAfterMillis) {
        this.asked = asked;
        this.watch = watch;
        this.response = asked.client().response();
        this.commitAfterMillis = asked.stream() ? commitAfterMillis : 0;
    }

    boolean committed() {
        return committed;
    }

    boolean early() {
        return early;
    }

    /** Takes over an answer's head; nothing is written before its first bytes. */
    void head(int status, MultiMap headers, boolean stream, String replica, String decision) {
        if (committed) {
            eventStream |= stream;
            return;
        }
        eventStream = stream;
        response.setStatusCode(status);
        MultiMap to = response.headers();
        ForwardedHeaders.toClient(headers, to);
        to.set(RelayHeaders.REPLICA, replica);
        to.set(RelayHeaders.DECISION, decision);
        if (stream) {
            to.set(CACHE_CONTROL, RelayHeaders.NO_CACHE);
            to.set(BUFFERING, RelayHeaders.NO);
        }
        if (!to.contains(CONTENT_LENGTH) && asked.client().version() != HttpVersion.HTTP_1_0) response.setChunked(true);
    }

    /** The answer won't have the length that its engine said; to be called before its first bytes. */
    void unknownLength() {
        if (committed || response.headWritten()) return;
        response.headers().remove(CONTENT_LENGTH);
        if (asked.client().version() != HttpVersion.HTTP_1_0) response.setChunked(true);
    }

    /** The answer has this length, whatever its engine said; to be called before its first bytes. */
    void length(int bytes) {
        response.headers().remove(TRANSFER_ENCODING);
        response.headers().set(CONTENT_LENGTH, Integer.toString(bytes));
    }

    /** The rest of an answer whose length was not told, and which may be all of it. */
    void endRewritten(@Nullable Buffer held, Buffer last, @Nullable MultiMap trailers) {
        Buffer rest = held == null ? last : Buffer.buffer().appendBuffer(held).appendBuffer(last);
        if (!committed && response.headers().contains(CONTENT_LENGTH)) {
            response.headers().set(CONTENT_LENGTH, Integer.toString(rest.length()));
        }
        end(rest, trailers);
    }

    /** Sends more of the answer; returns false when the client is slow and its engine is to be paused. */
    boolean write(Buffer chunk) {
        committed = true;
        response.write(chunk);
        return !response.writeQueueFull();
    }

    /** Waits for a slow client; {@code resume} is called once it has read what it was sent. */
    void whenReady(long nowNanos, Runnable resume) {
        fullSinceNanos = nowNanos;
        response.drainHandler(drained -> {
            fullSinceNanos = 0;
            resume.run();
        });
    }

    /** True when the client has not read for that long. */
    boolean stuck(long nowNanos, long millis) {
        return fullSinceNanos != 0 && nowNanos - fullSinceNanos > millis * NANOS_PER_MILLI;
    }

    boolean waits() {
        return fullSinceNanos != 0;
    }

    /** The answer is whole. */
    void end(@Nullable Buffer last, @Nullable MultiMap trailers) {
        committed = true;
        if (trailers != null && !trailers.isEmpty() && response.isChunked()) {
            for (Map.Entry<String, String> each : trailers) response.putTrailer(each.getKey(), each.getValue());
        }
        boolean slow = response.writeQueueFull();
        // A client of HTTP/1.0 knows by the connection's end where an answer without a length is over.
        boolean closes = asked.client().version() == HttpVersion.HTTP_1_0
                && !response.headers().contains(CONTENT_LENGTH);
        Future<Void> sent = last == null ? response.end() : response.end(last);
        if (closes) {
            sent.onComplete(done -> asked.client().connection().close());
            // The close is the end of this answer: it waits for nobody else's turn.
            Wire.flush(asked.client().connection());
        }
        if (slow) new LastBytes(sent).await();
    }

    /** The last bytes for a client that has not read those before: not for ever. */
    private final class LastBytes extends Watch.Member {
        private final Future<Void> sent;
        private long sinceNanos;

        LastBytes(Future<Void> sent) {
            this.sent = sent;
        }

        void await() {
            watch.join(this);
            sent.onComplete(done -> watch.leave(this));
        }

        @Override
        protected HttpConnection connection() {
            return asked.client().connection();
        }

        @Override
        protected void look(long nowNanos) {
            if (sinceNanos == 0) sinceNanos = nowNanos;
            if (nowNanos - sinceNanos < LAST_BYTES_NANOS) return;
            watch.leave(this);
            cut();
        }
    }

    /** An answer of our own, in place of an engine's. */
    void refuse(ApiError error) {
        if (committed) fail(error);
        else {
            committed = true;
            error.send(asked.client(), asked.endpoint().envelope());
        }
    }

    /** The answer can't be what it should: says so in the one way that is left. */
    void fail(ApiError error) {
        fail(error, "");
    }

    /**
     * An error event, no {@code [DONE]}, no terminal chunk, then the connection closes: the client must be able to tell.
     *
     * @param separator what ends the event that was begun
     */
    void fail(ApiError error, String separator) {
        if (!committed) {
            refuse(error);
            return;
        }
        if (response.closed() || response.ended()) return;
        if (!eventStream) {
            abort();
            return;
        }
        Framing framing = asked.endpoint().framing();
        boolean slow = response.writeQueueFull();
        Future<Void> sent = response.write(Buffer.buffer(separator + error.event(framing)));
        sent.onComplete(written -> abort());
        if (slow) new LastBytes(sent).await();
    }

    /** Ends it without a word, which a client that does not read would not take either. */
    void cut() {
        if (asked.client().version() == HttpVersion.HTTP_2) response.reset(INTERNAL_ERROR);
        else Wire.cut(asked.client().connection());
    }

    private void abort() {
        if (asked.client().version() == HttpVersion.HTTP_2) response.reset(INTERNAL_ERROR);
        else asked.client().connection().close();
    }

    /** Keeps a client that asked for it from taking a long prompt's silence for death. */
    void look(long ageNanos, long nowNanos) {
        if (commitAfterMillis == 0 || response.ended()) return;
        if (!committed) {
            if (ageNanos < commitAfterMillis * NANOS_PER_MILLI) return;
            early = true;
            eventStream = true;
            response.setStatusCode(200);
            response.headers().set(CONTENT_TYPE, RelayHeaders.EVENT_STREAM);
            response.headers().set(CACHE_CONTROL, RelayHeaders.NO_CACHE);
            response.headers().set(BUFFERING, RelayHeaders.NO);
            if (asked.client().version() != HttpVersion.HTTP_1_0) response.setChunked(true);
        } else if (!early || nowNanos - lastWriteNanos < commitAfterMillis * NANOS_PER_MILLI) return;
        lastWriteNanos = nowNanos;
        if (!response.writeQueueFull()) write(KEEP_ALIVE);
    }

    /** Bytes of the engine's came: comments between an event's bytes would be part of it. */
    void answerBegan() {
        early = false;
    }
}
