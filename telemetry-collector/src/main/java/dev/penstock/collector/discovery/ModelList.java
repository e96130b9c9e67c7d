package dev.penstock.collector.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.model.EngineKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The answer to {@code GET /v1/models}. */
final class ModelList {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ModelList() {}

    /** By the owner that engines put on their models; vLLM where that says nothing, for many speak as it does. */
    static EngineKind kind(byte[] body) {
        try {
            for (JsonNode each : JSON.readTree(body).path("data")) {
                if (each.path("owned_by").asText("").equals("sglang")) return EngineKind.SGLANG;
            }
        } catch (IOException e) {
            return EngineKind.VLLM;
        }
        return EngineKind.VLLM;
    }

    /** Base models first, then adapters, which name a parent; empty when there is nothing to read. */
    static List<String> parse(byte[] body) {
        List<String> models = new ArrayList<>();
        List<String> adapters = new ArrayList<>();
        try {
            for (JsonNode each : JSON.readTree(body).path("data")) {
                String id = each.path("id").asText("");
                if (!id.isBlank()) (each.path("parent").isTextual() ? adapters : models).add(id);
            }
        } catch (IOException e) {
            return List.of();
        }
        if (models.isEmpty()) return List.of();
        models.addAll(adapters);
        return List.copyOf(models);
    }
}
