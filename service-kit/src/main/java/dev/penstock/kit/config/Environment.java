package dev.penstock.kit.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns {@code PENSTOCK__ROUTER__PORT=8080} into router.port. Only double underscores count: Kubernetes injects
 * {@code PENSTOCK_...} variables for Services, which are not ours.
 */
final class Environment {
    private static final String PREFIX = "PENSTOCK__";

    private Environment() {}

    /** Keys in lower case, values as text, an empty one as null. */
    static ObjectNode overrides(Map<String, String> env, List<Problem> problems) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(env).forEach((name, value) -> {
            if (name.startsWith(PREFIX)) put(root, name, value, problems);
        });
        return root;
    }

    private static void put(ObjectNode root, String name, String value, List<Problem> problems) {
        String[] keys = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).split("__", -1);
        ObjectNode at = root;
        for (int i = 0; i < keys.length - 1; i++) {
            JsonNode next = at.get(keys[i]);
            if (next == null) {
                at = at.putObject(keys[i]);
            } else if (next instanceof ObjectNode section) {
                at = section;
            } else {
                problems.add(new Problem(name, "set", "not both a section and a value in the environment"));
                return;
            }
        }
        String last = keys[keys.length - 1];
        if (value.isEmpty()) at.putNull(last);
        else at.put(last, value);
    }
}
