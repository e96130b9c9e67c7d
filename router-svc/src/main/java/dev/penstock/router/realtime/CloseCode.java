package dev.penstock.router.realtime;

import io.vertx.core.buffer.Buffer;

/** Why the router itself ends a session (RFC 6455 section 7.4.1). */
enum CloseCode {
    /** The router stops, nobody said anything for long, or the client is gone. */
    GOING_AWAY(1001),
    TOO_BIG(1009),
    /** The engine is gone. */
    INTERNAL(1011);

    /** Frames to engines must be masked, and a mask of zeros is one: there is nothing in them to hide. */
    private static final byte[] ZERO_MASK = new byte[4];

    private static final int FINAL_CLOSE = 0x88;
    private static final int MASKED = 0x80;
    private static final int CODE_BYTES = 2;

    private final int code;

    CloseCode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    Buffer toClient() {
        return Buffer.buffer()
                .appendByte((byte) FINAL_CLOSE)
                .appendByte((byte) CODE_BYTES)
                .appendUnsignedShort(code);
    }

    Buffer toEngine() {
        return Buffer.buffer()
                .appendByte((byte) FINAL_CLOSE)
                .appendByte((byte) (MASKED | CODE_BYTES))
                .appendBytes(ZERO_MASK)
                .appendUnsignedShort(code);
    }
}
