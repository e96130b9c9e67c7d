package dev.penstock.router.realtime;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;

/** One direction of a session: bytes go on as they came, no faster than they are taken. */
final class Way {
    private static final Buffer NONE = Buffer.buffer();

    private final NetSocket from;
    private final NetSocket to;
    private final FrameScan scan = new FrameScan();
    /** The beginning of a head: a frame that may not pass must not have begun. */
    private Buffer headBegun = NONE;

    private boolean stopped;
    private boolean last;

    Way(NetSocket from, NetSocket to) {
        this.from = from;
        this.to = to;
    }

    FrameScan scan() {
        return scan;
    }

    void take(Buffer chunk) {
        if (scan.closed() || scan.tooBig()) return;
        Buffer bytes = headBegun.length() == 0
                ? chunk
                : Buffer.buffer().appendBuffer(headBegun).appendBuffer(chunk);
        int passing = scan.feed(bytes);
        headBegun = passing == bytes.length() ? NONE : bytes.getBuffer(passing, bytes.length());
        if (passing > 0 && !stopped) write(passing == bytes.length() ? bytes : bytes.slice(0, passing));
    }

    private void write(Buffer bytes) {
        to.write(bytes);
        if (last || !to.writeQueueFull()) return;
        from.pause();
        to.drainHandler(drained -> from.resume());
    }

    /** The sender is gone: the little of it that waits here goes on at once. */
    void drain() {
        last = true;
        from.resume();
    }

    /** Nothing more of the sender's goes on; it is read all the same, for its close. */
    void stop() {
        stopped = true;
        from.resume();
    }

    /** Puts a close of our own behind all that was passed, where that is possible. */
    void close(Buffer frame) {
        boolean possible = scan.betweenFrames() && !scan.closed() && !stopped;
        stop();
        if (possible) to.write(frame);
    }
}
