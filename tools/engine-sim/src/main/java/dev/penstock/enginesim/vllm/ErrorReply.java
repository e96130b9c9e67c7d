package dev.penstock.enginesim.vllm;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * vLLM's error envelope. Its {@code type} is an exception's name for errors of the API, and the status phrase for errors
 * of the web framework below it (unknown path, malformed body).
 */
record ErrorReply(
        int status, String message, String type, @Nullable String param) {
    static ErrorReply badRequest(String message, @Nullable String param) {
        return new ErrorReply(400, message, "BadRequestError", param);
    }

    /** The framework's own validation: malformed JSON, wrong content type, missing or contradicting fields. */
    static ErrorReply invalid(String message) {
        return new ErrorReply(400, message, "Bad Request", null);
    }

    static ErrorReply unknownModel(String model) {
        return new ErrorReply(404, "The model `" + model + "` does not exist.", "NotFoundError", "model");
    }

    static ErrorReply unknownPath() {
        return new ErrorReply(404, "Not Found", "Not Found", null);
    }

    static ErrorReply wrongMethod() {
        return new ErrorReply(405, "Method Not Allowed", "Method Not Allowed", null);
    }

    /** What the fault {@code error} answers. */
    static ErrorReply injected(int status) {
        return switch (status) {
            case 400 -> new ErrorReply(status, "Injected fault.", "BadRequestError", null);
            case 404 -> new ErrorReply(status, "Injected fault.", "NotFoundError", null);
            case 422 -> new ErrorReply(status, "Injected fault.", "UnprocessableEntityError", null);
            case 500 ->
                new ErrorReply(
                        status,
                        "EngineCore encountered an issue. See stack trace (above) for the root cause.",
                        "InternalServerError",
                        null);
            case 501 -> new ErrorReply(status, "Injected fault.", "NotImplementedError", null);
            default ->
                new ErrorReply(
                        status,
                        "Injected fault.",
                        HttpResponseStatus.valueOf(status).reasonPhrase(),
                        null);
        };
    }

    String json() {
        StringBuilder out = new StringBuilder(160).append("{\"error\":{\"message\":");
        JsonText.append(out, message).append(",\"type\":");
        JsonText.append(out, type).append(",\"param\":");
        if (param == null) {
            out.append("null");
        } else {
            JsonText.append(out, param);
        }
        return out.append(",\"code\":").append(status).append("}}").toString();
    }
}
