package dev.penstock.collector.discovery;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.penstock.kit.config.Problem;
import dev.penstock.model.EngineKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The text of a replica file. All of its problems are found at once. An empty text is a problem and not an empty fleet:
 * editors and copies truncate before they write.
 */
public final class ReplicaFile {
    private static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    private static final List<String> KEYS = List.of(
            "name",
            "endpoint",
            "metricsEndpoint",
            "models",
            "engine",
            "hardwareClass",
            "zone",
            "maxInflight",
            "labels",
            "kvEvents",
            "kvReplay");

    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, Integer> nameToIndex = new HashMap<>();

    /** A list, or what is wrong. */
    public sealed interface Result {}

    public record Good(List<DiscoveredReplica> replicas) implements Result {}

    public record Bad(List<Problem> problems) implements Result {}

    private ReplicaFile() {}

    public static Result parse(String text) {
        JsonNode root;
        try {
            root = YAML.readTree(text);
        } catch (JsonProcessingException e) {
            String line = e.getLocation() == null
                    ? "?"
                    : String.valueOf(e.getLocation().getLineNr());
            String what = e.getOriginalMessage().lines().findFirst().orElse("?");
            return wrong("line " + line, what, "YAML");
        }
        return new ReplicaFile().read(root);
    }

    static Bad wrong(String path, String value, String expected) {
        return new Bad(List.of(new Problem(path, value, expected)));
    }

    private Result read(@Nullable JsonNode root) {
        if (!(root instanceof ObjectNode map)) return wrong("the file", shown(root), "a map with the key replicas");
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            if (!entry.getKey().equals("replicas")) problem(entry.getKey(), entry.getValue(), "the key replicas only");
        }
        JsonNode list = map.get("replicas");
        if (list == null || !list.isArray()) {
            problem("replicas", list, "a list of replicas, [] for none");
            return new Bad(List.copyOf(problems));
        }
        List<DiscoveredReplica> replicas = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            String at = "replicas[" + i + "]";
            if (list.get(i) instanceof ObjectNode node) replicas.add(replica(at, i, node));
            else problem(at, list.get(i), "a map like {name: engine-0, endpoint: \"http://host:port\"}");
        }
        return problems.isEmpty() ? new Good(List.copyOf(replicas)) : new Bad(List.copyOf(problems));
    }

    private DiscoveredReplica replica(String at, int index, ObjectNode node) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!KEYS.contains(entry.getKey())) {
                problem(at + "." + entry.getKey(), entry.getValue(), "one of the keys " + String.join(", ", KEYS));
            }
        }
        return new DiscoveredReplica(
                name(at + ".name", index, node.get("name")),
                endpoint(at + ".endpoint", node.get("endpoint")),
                given(node, "metricsEndpoint") ? endpoint(at + ".metricsEndpoint", node.get("metricsEndpoint")) : null,
                models(at + ".models", node.get("models")),
                engine(at + ".engine", node.get("engine")),
                text(at, node, "hardwareClass"),
                text(at, node, "zone"),
                maxInflight(at + ".maxInflight", node.get("maxInflight")),
                labels(at + ".labels", node.get("labels")),
                kvSource(at, node),
                null);
    }

    private DiscoveredReplica.@Nullable KvSource kvSource(String at, ObjectNode node) {
        String events = kvAddress(at, node, "kvEvents");
        String replay = kvAddress(at, node, "kvReplay");
        if (replay != null && !given(node, "kvEvents")) {
            problem(at + ".kvReplay", node.get("kvReplay"), "kvEvents beside it");
        }
        return events == null ? null : new DiscoveredReplica.KvSource(events, replay);
    }

    private @Nullable String kvAddress(String at, ObjectNode node, String key) {
        if (!given(node, key)) return null;
        String address = node.get(key).asText();
        if (ReplicaRules.kvEvents(address)) return address;
        problem(at + "." + key, node.get(key), ReplicaRules.KV_EVENTS);
        return null;
    }

    private String name(String at, int index, @Nullable JsonNode node) {
        String name = node != null && node.isTextual() ? node.asText() : "";
        if (!ReplicaRules.name(name)) {
            problem(at, node, ReplicaRules.NAME);
            return name;
        }
        Integer other = nameToIndex.putIfAbsent(name, index);
        if (other != null) problem(at, node, "a name of its own, replicas[" + other + "] has it");
        return name;
    }

    private String endpoint(String at, @Nullable JsonNode node) {
        if (node == null || !node.isTextual() || !ReplicaRules.endpoint(node.asText())) {
            problem(at, node, ReplicaRules.ENDPOINT);
            return "";
        }
        return ReplicaRules.base(node.asText());
    }

    private List<String> models(String at, @Nullable JsonNode node) {
        List<String> models = new ArrayList<>();
        if (node == null || node.isNull()) return models;
        for (JsonNode each : node) {
            if (node.isArray() && each.isTextual() && !each.asText().isBlank()) models.add(each.asText());
        }
        if (!node.isArray() || models.size() != node.size()) problem(at, node, "a list of model names");
        return models;
    }

    private EngineKind engine(String at, @Nullable JsonNode node) {
        if (node == null || node.isNull()) return EngineKind.AUTO;
        EngineKind kind = ReplicaRules.engine(node.asText());
        if (kind != null) return kind;
        problem(at, node, ReplicaRules.ENGINE);
        return EngineKind.AUTO;
    }

    private @Nullable Integer maxInflight(String at, @Nullable JsonNode node) {
        if (node == null || node.isNull()) return null;
        if (node.isInt() && node.asInt() > 0) return node.asInt();
        problem(at, node, "a whole number above 0");
        return null;
    }

    private @Nullable String text(String at, ObjectNode replica, String key) {
        JsonNode node = replica.get(key);
        if (node == null || node.isNull()) return null;
        if (node.isValueNode() && !node.asText().isBlank()) return node.asText();
        problem(at + "." + key, node, "a text");
        return null;
    }

    private Map<String, String> labels(String at, @Nullable JsonNode node) {
        Map<String, String> labels = new TreeMap<>();
        if (node == null || node.isNull()) return labels;
        if (!node.isObject()) problem(at, node, "a map of texts");
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (entry.getValue().isValueNode())
                labels.put(entry.getKey(), entry.getValue().asText());
            else problem(at + "." + entry.getKey(), entry.getValue(), "a text");
        }
        return labels;
    }

    private void problem(String at, @Nullable JsonNode value, String expected) {
        problems.add(new Problem(at, shown(value), expected));
    }

    private static boolean given(ObjectNode node, String key) {
        return node.has(key) && !node.get(key).isNull();
    }

    private static String shown(@Nullable JsonNode value) {
        if (value == null || value.isMissingNode() || value.isNull()) return "nothing";
        if (value.isTextual()) return '"' + value.asText() + '"';
        return value.toString();
    }
}
