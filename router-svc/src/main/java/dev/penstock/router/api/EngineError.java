package dev.penstock.router.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * An engine's error in the API's envelope, once: what is in it already stays as it is, byte for byte; SGLang's flat form is
 * lifted into it; what is no error object (a proxy's page, a web framework's detail, nothing) becomes its message.
 */
public final class EngineError {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_TEXT = 300;

    private EngineError() {}

    /** What is to be sent instead, or null where it is good as it is. */
    public static @Nullable Buffer normalised(int status, Buffer body, Envelope envelope) {
        JsonNode json = parsed(body);
        if (json == null) return wrapped(status, textOf(body), envelope);
        if (!json.isObject()) return wrapped(status, null, envelope);
        JsonNode error = json.path("error");
        if (error.isTextual()) return wrapped(status, error.asText(), envelope);
        boolean anthropic = envelope == Envelope.ANTHROPIC;
        if (error.isObject()) {
            return anthropic && !json.path("type").asText().equals("error") ? lifted(status, error, envelope) : null;
        }
        if (json.path("object").asText().equals("error") && json.path("message").isTextual()) {
            return lifted(status, json, envelope);
        }
        for (String field : new String[] {"detail", "message"}) {
            if (json.path(field).isTextual())
                return wrapped(status, json.path(field).asText(), envelope);
        }
        return wrapped(status, null, envelope);
    }

    private static @Nullable JsonNode parsed(Buffer body) {
        try {
            return JSON.readTree(body.toString());
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private static Buffer lifted(int status, JsonNode error, Envelope envelope) {
        if (envelope == Envelope.ANTHROPIC)
            return wrapped(status, error.path("message").asText(), envelope);
        var out = JSON.createObjectNode();
        var lifted = out.putObject("error");
        for (String field : new String[] {"message", "type", "param", "code"}) {
            if (error.has(field)) lifted.set(field, error.get(field));
            else lifted.putNull(field);
        }
        return Buffer.buffer(out.toString());
    }

    private static Buffer wrapped(int status, @Nullable String text, Envelope envelope) {
        if (text == null || text.isBlank() || text.startsWith("{") || text.startsWith("<")) {
            return ApiError.ofEngine(status).body(envelope, null);
        }
        return ApiError.engineSaid(status, text).body(envelope, null);
    }

    private static @Nullable String textOf(Buffer body) {
        if (body.length() == 0 || body.length() > LONGEST_TEXT) return null;
        String text = body.toString().strip();
        return text.indexOf('\n') >= 0 ? null : text;
    }
}
