package dev.penstock.kit.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of all services in one file. A service reads its own parts and calls {@link #finish()}, which
 * reports everything that is wrong; the parts of others are left alone, but a part that nobody has is a problem. One
 * thread.
 */
public final class ConfigTree {
    private static final List<String> PARTS = List.of(
            "kafka",
            "redis",
            "security",
            "discovery",
            "data",
            "telemetry",
            "health",
            "admission",
            "router",
            "advisor",
            "tracing",
            "models");
    private static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private final Map<String, String> env;
    private final List<Problem> problems = new ArrayList<>();
    private final ObjectNode effective = JsonNodeFactory.instance.objectNode();
    private final ConfigSection root;
    private @Nullable Path file;
    private boolean printOnly;

    private ConfigTree(String source, @Nullable String yaml, Map<String, String> env) {
        this.env = env;
        ObjectNode environment = Environment.overrides(env, problems);
        ObjectNode file = yaml == null ? JsonNodeFactory.instance.objectNode() : parse(source, yaml);
        root = new ConfigSection("", file, environment, effective, problems);
    }

    /** Without a file everything has its default; one that cannot be read is a problem like any other. */
    public static ConfigTree load(@Nullable Path yaml, Map<String, String> env) {
        if (yaml == null) return new ConfigTree("", null, env);
        try {
            ConfigTree tree = new ConfigTree(yaml.toString(), Files.readString(yaml), env);
            tree.file = yaml;
            return tree;
        } catch (IOException e) {
            ConfigTree tree = new ConfigTree("", null, env);
            tree.file = yaml;
            tree.problems.add(new Problem(yaml.toString(), e.getClass().getSimpleName(), "a readable YAML file"));
            return tree;
        }
    }

    public static ConfigTree of(String yaml) {
        return new ConfigTree("the text", yaml, Map.of());
    }

    /** The file it was read from, if any. */
    public @Nullable Path file() {
        return file;
    }

    /** Another text of the same file under the same environment: for hot reload. */
    public ConfigTree again(String yaml) {
        return new ConfigTree(String.valueOf(file), yaml, env);
    }

    public ConfigSection section(String name) {
        return root.section(name);
    }

    public List<ConfigSection> list(String name) {
        return root.list(name);
    }

    /** Call it when all has been read, before anything is started. */
    public void finish() throws ConfigException {
        // the parts of others count as read, without appearing among the effective values
        root.allow(PARTS);
        root.checkKeys();
        if (!problems.isEmpty())
            throw new ConfigException(problems.stream().distinct().toList());
        if (printOnly) throw new PrintOnly();
    }

    /** Makes {@link #finish()} end the start, for {@code --print-config}. */
    public void printOnly() {
        printOnly = true;
    }

    /** What was read, with defaults filled in and secrets hidden. */
    public ObjectNode effective() {
        return effective.deepCopy();
    }

    private ObjectNode parse(String source, String yaml) {
        try {
            JsonNode node = YAML.readTree(yaml);
            if (node instanceof ObjectNode object) return object;
            if (node != null && !node.isMissingNode() && !node.isNull()) {
                problems.add(new Problem(source, "not a map", "sections like router: {port: 8080}"));
            }
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String where = at == null ? source : source + " line " + at.getLineNr();
            problems.add(new Problem(
                    where, e.getOriginalMessage().lines().findFirst().orElse("?"), "YAML"));
        }
        return JsonNodeFactory.instance.objectNode();
    }
}
