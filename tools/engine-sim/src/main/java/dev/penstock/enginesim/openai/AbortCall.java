package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** Aborts by id, each engine's way, and counted in the book: of requests whose clients wait, and of those whose have gone. */
public final class AbortCall {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AbortCall() {}

    /** {@code {"rid"}}: all whose id starts with it; or {@code {"abort_all":true}}. */
    public static void ofSglang(EngineParts engine, byte[] body) {
        JsonNode root = read(body);
        String rid = root.path("rid").asText("");
        if (root.path("abort_all").asBoolean(false)) {
            engine.open().abortAll();
        } else if (!rid.isEmpty()) {
            engine.requests().abortAsked(engine.open().abort(rid));
        }
    }

    /** {@code {"request_ids":[...]}}. @return whether there were any */
    public static boolean ofVllm(EngineParts engine, byte[] body) {
        JsonNode given = read(body).path("request_ids");
        if (!given.isArray()) {
            return false;
        }
        Set<String> ids = new HashSet<>();
        given.forEach(id -> {
            ids.add(id.asText());
            ids.add(withoutPrefix(id.asText()));
        });
        engine.requests().abortAsked(engine.open().abort(answer -> ids.contains(answer.id())));
        return true;
    }

    private static String withoutPrefix(String id) {
        for (Endpoint endpoint : Endpoint.values()) {
            if (id.startsWith(endpoint.idPrefix())) {
                return id.substring(endpoint.idPrefix().length());
            }
        }
        return id;
    }

    private static JsonNode read(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException _) {
            return JSON.createObjectNode();
        }
    }
}
