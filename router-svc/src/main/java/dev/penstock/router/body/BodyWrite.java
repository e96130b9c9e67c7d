package dev.penstock.router.body;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/** A body on its way into one stream: writes until the stream is full, and goes on when it has drained. One event loop. */
public final class BodyWrite {
    private final WriteStream<Buffer> out;
    private final Promise<Void> done = Promise.promise();
    /** Null when it is over: a stream may keep its drain handler for long. */
    private @Nullable BodyPieces pieces;

    private boolean writing;
    private boolean waits;

    BodyWrite(WriteStream<Buffer> out, BodyPieces pieces) {
        this.out = out;
        this.pieces = pieces;
    }

    /** See {@link RequestBody#writeTo}; after {@link #stop} nothing is told. */
    public Future<Void> done() {
        return done.future();
    }

    /** Nothing more is written: this attempt is given up. */
    public void stop() {
        pieces = null;
    }

    void go() {
        // A stream that drains while it is written to is in the loop already.
        if (writing) return;
        writing = true;
        try {
            while (pieces != null && !full()) piece(pieces);
        } catch (RuntimeException refused) {
            // A request that was reset or ended meanwhile says so by throwing.
            fail(refused);
        } finally {
            writing = false;
        }
    }

    private boolean full() {
        if (!out.writeQueueFull()) return false;
        if (!waits) {
            waits = true;
            out.drainHandler(drained -> go());
            // Drained before it was listened to.
            return out.writeQueueFull();
        }
        return true;
    }

    private void piece(BodyPieces from) {
        Buffer piece = from.next();
        if (piece == null) {
            pieces = null;
            if (from.over()) done.tryComplete();
        } else {
            out.write(piece).onFailure(this::fail);
        }
    }

    private void fail(Throwable why) {
        if (pieces == null) return;
        pieces = null;
        done.tryFail(why);
    }
}
