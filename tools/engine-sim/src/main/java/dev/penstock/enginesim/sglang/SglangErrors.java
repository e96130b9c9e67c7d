package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.JsonText;
import org.jspecify.annotations.Nullable;

/** SGLang's error bodies, which are flat, and its error events, which nest the same under {@code error}. */
final class SglangErrors {
    private SglangErrors() {}

    static ErrorReply of(int status, String message, String type, @Nullable String param) {
        String flat = flat(status, message, type, param);
        return new ErrorReply(status, flat, "{\"error\":" + flat + "}", type, message);
    }

    /** The type of an error that has none of its own is the status as text; in a stream it is the status's name. */
    static ErrorReply unavailable(String message) {
        String json = flat(503, message, "503", null);
        String nested = "{\"error\":" + flat(503, message, "SERVICE_UNAVAILABLE", null) + "}";
        return new ErrorReply(503, json, nested, "503", message);
    }

    private static String flat(int status, String message, String type, @Nullable String param) {
        StringBuilder out = new StringBuilder(160).append("{\"object\":\"error\",\"message\":");
        JsonText.append(out, message).append(",\"type\":");
        JsonText.append(out, type).append(",\"param\":");
        if (param == null) {
            out.append("null");
        } else {
            JsonText.append(out, param);
        }
        return out.append(",\"code\":").append(status).append('}').toString();
    }
}
