package dev.penstock.router.ingress;

import io.netty.util.AsciiString;

/** Names of headers that every request is asked for, made once. */
final class Headers {
    static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");
    static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
    static final AsciiString CONTENT_ENCODING = AsciiString.cached("content-encoding");
    static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    static final AsciiString TRANSFER_ENCODING = AsciiString.cached("transfer-encoding");
    static final AsciiString EXPECT = AsciiString.cached("expect");

    private Headers() {}
}
