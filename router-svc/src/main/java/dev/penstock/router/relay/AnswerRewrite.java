package dev.penstock.router.relay;

import io.vertx.core.buffer.Buffer;

/** Changes bytes of one answer on their way to the client. Of one event loop. */
public interface AnswerRewrite {
    /** What to hand on for the next bytes; may be empty, because some are held back. */
    Buffer feed(Buffer chunk);

    /** The body is over: what was held back, which may be nothing. Called once at most. */
    Buffer end();
}
