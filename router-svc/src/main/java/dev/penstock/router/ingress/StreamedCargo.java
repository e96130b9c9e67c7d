package dev.penstock.router.ingress;

import dev.penstock.router.body.RequestBody;
import dev.penstock.router.body.Splice;
import dev.penstock.router.relay.Cargo;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An upload on its way: what was held until its model was known, then the rest as it comes, as fast as the engine takes it. Its
 * client is paused while there is no connection, while the held part is written, and whenever the connection is full. It is
 * sent once: what has gone out is held no more.
 */
final class StreamedCargo implements Cargo {
    private static final long NOT_PAUSED = Long.MIN_VALUE;

    private final HttpServerRequest client;
    private final RequestBody held;
    private final BodyMemory.Share share;
    private final List<Splice> splices;
    private final long length;
    private final LongSupplier nanoClock;
    private final Runnable released;
    private @Nullable HttpClientRequest out;
    private boolean begun;
    private boolean whole;
    private boolean sent;
    private boolean over;
    private long pausedSinceNanos;
    private long pausedNanos;

    /**
     * @param client paused
     * @param held all that came
     * @param whole whether that is all that will
     * @param length of what goes out, or -1 where that is not known
     * @param released called when nobody wants it any more
     */
    StreamedCargo(
            HttpServerRequest client,
            RequestBody held,
            BodyMemory.Share share,
            List<Splice> splices,
            boolean whole,
            long length,
            LongSupplier nanoClock,
            Runnable released) {
        this.client = client;
        this.held = held;
        this.share = share;
        this.splices = splices;
        this.whole = whole;
        this.length = length;
        this.nanoClock = nanoClock;
        this.released = released;
        this.pausedSinceNanos = nanoClock.getAsLong();
    }

    /** A connect that failed is tried elsewhere all the same: nothing was sent by it. */
    @Override
    public boolean replayable() {
        return !begun;
    }

    @Override
    public boolean sentOnce() {
        return true;
    }

    /** A file's bytes are no tokens. */
    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public boolean coming() {
        boolean held = begun && pausedSinceNanos != NOT_PAUSED;
        return !whole && !over && !held;
    }

    @Override
    public boolean sent() {
        return sent;
    }

    @Override
    public Future<HttpClientResponse> send(HttpClientRequest request, UpstreamId id) {
        begun = true;
        out = request;
        if (length < 0) request.setChunked(true);
        else request.headers().set(Headers.CONTENT_LENGTH, Long.toString(length));
        Future<HttpClientResponse> answer = request.response();
        held.writeTo(request, splices).onSuccess(written -> heldIsOut(request)).onFailure(refused -> request.reset());
        return answer;
    }

    private void heldIsOut(HttpClientRequest request) {
        held.clear();
        share.release();
        if (whole) end(request);
        else if (request.writeQueueFull()) request.drainHandler(drained -> goOn());
        else goOn();
    }

    private void goOn() {
        if (over || pausedSinceNanos == NOT_PAUSED) return;
        pausedNanos += nanoClock.getAsLong() - pausedSinceNanos;
        pausedSinceNanos = NOT_PAUSED;
        client.resume();
    }

    /** The next bytes came. */
    void more(Buffer chunk) {
        HttpClientRequest request = out;
        if (over || request == null) return;
        try {
            request.write(chunk);
            if (!request.writeQueueFull()) return;
            client.pause();
            pausedSinceNanos = nanoClock.getAsLong();
            request.drainHandler(drained -> goOn());
            // Drained before it was listened to.
            if (!request.writeQueueFull()) goOn();
        } catch (IllegalStateException broken) {
            // Its own handlers tell why.
            over = true;
        }
    }

    /** All of it came. */
    void end() {
        whole = true;
        HttpClientRequest request = out;
        if (!over && request != null) end(request);
    }

    private void end(HttpClientRequest request) {
        sent = true;
        request.end();
    }

    /** How long the client had to wait for us and the engine. */
    long pausedNanos(long nowNanos) {
        return pausedSinceNanos == NOT_PAUSED ? pausedNanos : pausedNanos + nowNanos - pausedSinceNanos;
    }

    @Override
    public void release() {
        over = true;
        held.clear();
        share.release();
        released.run();
    }
}
