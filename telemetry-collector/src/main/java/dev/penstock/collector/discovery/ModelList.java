package dev.penstock.collector.discovery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.model.EngineKind;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code GET /v1/models}.
 *
 * @param models the engine's own names, in its order; empty when there is nothing to read
 * @param adapters those that name a parent, sorted, because engines list them in the order of loading
 * @param kind by the owner that engines put on their models; vLLM where that says nothing, for many speak as it does
 * @param problem what was left out, or why there is nothing; null = nothing to complain of
 */
record ModelList(
        List<String> models,
        List<String> adapters,
        EngineKind kind,
        @Nullable String problem) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SHOWN = 40;

    static ModelList parse(byte[] body) {
        JsonNode data;
        try {
            data = JSON.readTree(body).path("data");
        } catch (JsonProcessingException e) {
            return nothing("no JSON: " + shown(e.getOriginalMessage()));
        } catch (IOException e) {
            return nothing("no JSON");
        }
        if (!data.isArray()) return nothing("no list \"data\" in the answer");
        Reader reader = new Reader();
        data.forEach(reader::entry);
        return reader.list();
    }

    private static ModelList nothing(String problem) {
        return new ModelList(List.of(), List.of(), EngineKind.VLLM, problem);
    }

    private static final class Reader {
        private final Set<String> models = new LinkedHashSet<>();
        private final Set<String> adapters = new TreeSet<>();
        private EngineKind kind = EngineKind.VLLM;
        private @Nullable String problem;

        void entry(JsonNode each) {
            if (each.path("owned_by").asText("").equals("sglang")) kind = EngineKind.SGLANG;
            String id = each.path("id").asText("");
            boolean adapter = each.path("parent").isTextual();
            Set<String> list = adapter ? adapters : models;
            int most = adapter ? ModelRules.MOST_ADAPTERS : ModelRules.MOST_MODELS;
            if (!ModelRules.name(id)) {
                problem = "id \"" + shown(id) + "\" left out, expected " + ModelRules.NAME;
            } else if (list.size() == most && !list.contains(id)) {
                problem = "more than " + most + (adapter ? " adapters" : " models") + ", the rest is left out";
            } else {
                list.add(id);
            }
        }

        ModelList list() {
            if (models.isEmpty() && problem == null) problem = "no models in the answer";
            adapters.removeAll(models);
            return new ModelList(List.copyOf(models), List.copyOf(adapters), kind, problem);
        }
    }

    private static String shown(String text) {
        String cut = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }
}
