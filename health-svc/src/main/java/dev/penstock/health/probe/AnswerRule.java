package dev.penstock.health.probe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.core.health.ProbeResult.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a whole answer to a probe says.
 *
 * <p>429, and 503 with an engine's own error body, are a full queue: BUSY. A 503 of anybody else, other 5xx, an error in a
 * 200, an answer without a choice, and {@code finish_reason: abort} are failures. Other 4xx are our mistake, as it were:
 * the way of asking is not the engine's, which says nothing of its health.
 */
final class AnswerRule {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AnswerRule() {}

    record Judged(Kind kind, String detail) {}

    /** True when the engine does not know this way of asking: another may do. */
    static boolean unknownWay(int status) {
        return status == 400 || status == 404 || status == 405 || status == 422 || status == 501;
    }

    static Judged judge(int status, byte[] body) {
        JsonNode json = parse(body);
        if (status == 429) return new Judged(Kind.BUSY, "status 429");
        if (status == 503) return new Judged(hasError(json) ? Kind.BUSY : Kind.FAILED, "status 503");
        if (unknownWay(status)) return new Judged(Kind.BUSY, "cannot be asked: status " + status);
        if (status >= 500) return new Judged(Kind.FAILED, "status " + status);
        if (status != 200) return new Judged(Kind.BUSY, "cannot be asked: status " + status);
        if (json == null) return new Judged(Kind.FAILED, body.length == 0 ? "empty answer" : "answer is not JSON");
        return hasError(json) ? inBodyError(json) : content(json);
    }

    private static Judged inBodyError(JsonNode json) {
        JsonNode error = json.path("error");
        int code = error.path("code").asInt(json.path("code").asInt());
        boolean full = code == 429 || code == 503;
        return new Judged(full ? Kind.BUSY : Kind.FAILED, "error in a 200, code " + code);
    }

    private static Judged content(JsonNode json) {
        if (!json.path("data").path(0).isMissingNode()) return new Judged(Kind.PASSED, "ok");
        JsonNode choice = json.path("choices").path(0);
        if (choice.isMissingNode()) return new Judged(Kind.FAILED, "no choices");
        boolean abort = choice.path("finish_reason").asText().equals("abort");
        return abort ? new Judged(Kind.FAILED, "finish_reason abort") : new Judged(Kind.PASSED, "ok");
    }

    /** vLLM nests an object or a text under {@code error}; SGLang has a flat object of that name. */
    private static boolean hasError(@Nullable JsonNode json) {
        return json != null
                && (json.hasNonNull("error") || json.path("object").asText().equals("error"));
    }

    private static @Nullable JsonNode parse(byte[] body) {
        try {
            JsonNode json = JSON.readTree(body);
            return json.isObject() ? json : null;
        } catch (IOException e) {
            return null;
        }
    }
}
