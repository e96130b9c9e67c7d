package dev.penstock.router.ingress;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Envelope;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;

/** Answers what is no HTTP; where such a request ends nobody knows, so its connection closes. */
final class InvalidRequests {
    private InvalidRequests() {}

    static void answer(HttpServerRequest request) {
        request.response().putHeader("connection", "close");
        error(request.decoderResult()).send(request, Envelope.OPENAI);
    }

    private static ApiError error(DecoderResult result) {
        if (result.cause() instanceof TooLongHttpLineException) {
            return ApiError.badHttp(414, "The request line is too long.");
        }
        if (result.cause() instanceof TooLongHttpHeaderException) {
            return ApiError.badHttp(431, "The request's headers are too large.");
        }
        return ApiError.badHttp(400, "The request is not valid HTTP.");
    }
}
