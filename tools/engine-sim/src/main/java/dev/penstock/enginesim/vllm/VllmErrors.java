package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.JsonText;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * vLLM's error envelope. Its {@code type} is an exception's name for errors of the API, and the status phrase for errors
 * of the web framework below it (unknown path, malformed body). Two answers are no envelope: their error is a string.
 */
final class VllmErrors {
    static final String DEAD = "EngineCore encountered an issue. See stack trace (above) for the root cause.";

    private static final String INJECTED = "Injected fault.";

    private VllmErrors() {}

    static ErrorReply of(int status, String message, String type, @Nullable String param) {
        StringBuilder out = new StringBuilder(160).append("{\"error\":{\"message\":");
        JsonText.append(out, message).append(",\"type\":");
        JsonText.append(out, type).append(",\"param\":");
        if (param == null) {
            out.append("null");
        } else {
            JsonText.append(out, param);
        }
        String json = out.append(",\"code\":").append(status).append("}}").toString();
        return new ErrorReply(status, json, json, type, message);
    }

    /** What the fault {@code error} answers. */
    static ErrorReply injected(int status) {
        return switch (status) {
            case 400 -> of(status, INJECTED, "BadRequestError", null);
            case 401 -> text(status, "Unauthorized");
            case 404 -> of(status, INJECTED, "NotFoundError", null);
            case 422 -> of(status, INJECTED, "UnprocessableEntityError", null);
            case 500 -> of(status, DEAD, "InternalServerError", null);
            case 501 -> of(status, INJECTED, "NotImplementedError", null);
            default -> of(status, INJECTED, HttpResponseStatus.valueOf(status).reasonPhrase(), null);
        };
    }

    static ErrorReply text(int status, String message) {
        String json = JsonText.append(new StringBuilder("{\"error\":"), message)
                .append('}')
                .toString();
        return new ErrorReply(
                status, json, json, HttpResponseStatus.valueOf(status).reasonPhrase(), message);
    }
}
