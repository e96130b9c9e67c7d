package dev.penstock.router.relay;

import io.netty.util.AsciiString;

/** Headers that the relay itself sets, made once. */
public final class RelayHeaders {
    public static final AsciiString REPLICA = AsciiString.cached("x-penstock-replica");
    public static final AsciiString DECISION = AsciiString.cached("x-penstock-decision");
    public static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");
    static final AsciiString ACCEPT_ENCODING = AsciiString.cached("accept-encoding");
    static final AsciiString NO_CACHE = AsciiString.cached("no-cache");
    static final AsciiString NO = AsciiString.cached("no");
    static final AsciiString EVENT_STREAM = AsciiString.cached("text/event-stream; charset=utf-8");

    private RelayHeaders() {}
}
