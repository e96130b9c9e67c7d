package dev.penstock.router.ingress;

import dev.penstock.router.api.ApiError;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** What a request's body may be, judged by its head alone where that is enough: a refusal is cheapest before the body. */
record BodyLimits(long maxBody) {
    private static final String CONTINUE = "100-continue";
    /** A body may take this long, and longer the larger it is. */
    private static final long GRACE_NANOS = 30_000_000_000L;
    /** 16 kB/s: slower than any link that is used for this, faster than somebody who holds connections for nothing. */
    private static final long NANOS_PER_BYTE = 61_035;

    /** Why a body that would be held as a whole is not even read, or null. */
    @Nullable
    ApiError refusal(HttpServerRequest request, long declared, BodyMemory memory) {
        ApiError refused = refusal(request, declared);
        if (refused != null) return refused;
        return declared > 0 && !memory.hasRoomFor(declared) ? ApiError.routerBusy() : null;
    }

    /**
     * Why a body is not even read, or null.
     *
     * @param declared its length, as {@link #declared} has it
     */
    @Nullable
    ApiError refusal(HttpServerRequest request, long declared) {
        String expect = request.headers().get(Headers.EXPECT);
        if (expect != null && !expect.equalsIgnoreCase(CONTINUE)) {
            return ApiError.badHttp(417, "The only expectation that can be met is 100-continue.");
        }
        String encoding = request.headers().get(Headers.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) return ApiError.unsupportedEncoding(encoding);
        return declared > maxBody ? tooLarge() : null;
    }

    ApiError tooLarge() {
        return ApiError.bodyTooLarge(maxBody);
    }

    /** -1 where the length is not declared. */
    static long declared(HttpServerRequest request) {
        String length = request.headers().get(Headers.CONTENT_LENGTH);
        if (length == null) return -1;
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Clients that ask before they send are told to. */
    void sayContinue(HttpServerRequest request) {
        if (request.headers().contains(Headers.EXPECT)) request.response().writeContinue();
    }

    boolean tooSlow(long ageNanos, long received) {
        return ageNanos > GRACE_NANOS + received * NANOS_PER_BYTE;
    }
}
