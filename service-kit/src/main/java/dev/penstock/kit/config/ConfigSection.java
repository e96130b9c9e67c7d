package dev.penstock.kit.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A part of the configuration. Reading never throws: a wrong value is noted and the default returned, so that one start
 * reports everything. The keys that were read are the keys there are; any other is a problem. One thread.
 */
public final class ConfigSection {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final String path;
    private final ObjectNode file;
    private final ObjectNode environment;
    private final ObjectNode effective;
    private final List<Problem> problems;
    private final TreeSet<String> known = new TreeSet<>();
    private final Map<String, ConfigSection> sections = new LinkedHashMap<>();
    private final Map<String, List<ConfigSection>> lists = new LinkedHashMap<>();

    /** The environment's keys are lower-case; the effective values are written as they are read. */
    ConfigSection(String path, ObjectNode file, ObjectNode environment, ObjectNode effective, List<Problem> problems) {
        this.path = path;
        this.file = file;
        this.environment = environment;
        this.effective = effective;
        this.problems = problems;
    }

    public String string(String key, String defaultValue) {
        String text = scalar(key, "a text");
        return show(key, text == null ? defaultValue : text);
    }

    public @Nullable String optionalString(String key) {
        String text = scalar(key, "a text");
        if (text == null) {
            effective.putNull(key);
            return null;
        }
        return show(key, text);
    }

    public int integer(String key, int defaultValue, int min, int max) {
        String expected = "a whole number from " + min + " to " + max;
        String text = scalar(key, expected);
        int value = defaultValue;
        if (text != null) {
            Integer parsed = parse(text);
            if (parsed == null || parsed < min || parsed > max) problem(key, text, expected);
            else value = parsed;
        }
        effective.put(key, value);
        return value;
    }

    /** A number that may have a fraction; null when nobody set it. */
    public @Nullable Double optionalNumber(String key, double min, double max) {
        String expected = "a number from " + Units.show(min) + " to " + Units.show(max);
        String text = scalar(key, expected);
        Double value = text == null ? null : Units.number(text);
        if (text != null && (value == null || value < min || value > max)) {
            problem(key, text, expected);
            value = null;
        }
        if (value == null) effective.putNull(key);
        else effective.put(key, value);
        return value;
    }

    /** A whole number, or null for the word {@code auto}, which is the default. */
    public @Nullable Integer autoOrInteger(String key, int min, int max) {
        String expected = "auto, or a whole number from " + min + " to " + max;
        String text = scalar(key, expected);
        Integer value = text == null || text.equals("auto") ? null : parse(text);
        boolean wrong = text != null && !text.equals("auto") && (value == null || value < min || value > max);
        if (wrong) {
            problem(key, String.valueOf(text), expected);
            value = null;
        }
        if (value == null) effective.put(key, "auto");
        else effective.put(key, value);
        return value;
    }

    /** A whole number, or null when nobody set it. */
    public @Nullable Integer optionalInteger(String key, int min, int max) {
        String expected = "a whole number from " + min + " to " + max;
        String text = scalar(key, expected);
        Integer value = text == null ? null : parse(text);
        if (text != null && (value == null || value < min || value > max)) {
            problem(key, text, expected);
            value = null;
        }
        if (value == null) effective.putNull(key);
        else effective.put(key, value);
        return value;
    }

    /** A share like {@code 50%}, as a number from 0 to 1. */
    public double percent(String key, double defaultValue) {
        String expected = "a share from 0% to 100%, like 50%";
        String text = scalar(key, expected);
        double value = defaultValue;
        if (text != null) {
            Double parsed = text.endsWith("%") ? Units.number(text.substring(0, text.length() - 1)) : null;
            if (parsed == null || parsed < 0 || parsed > 100) problem(key, text, expected);
            else value = parsed / 100;
        }
        effective.put(key, Units.show(value * 100) + "%");
        return value;
    }

    /** Null when nobody set it. */
    public @Nullable Duration optionalDuration(String key) {
        String expected = "a duration like 50ms, 1s, 5m or 2h";
        String text = scalar(key, expected);
        Duration value = text == null ? null : Units.duration(text);
        if (text != null && value == null) problem(key, text, expected);
        if (value == null) effective.putNull(key);
        else effective.put(key, Units.show(value));
        return value;
    }

    /** Port 0 asks for any free one. */
    public int port(String key, int defaultValue) {
        return integer(key, defaultValue, 0, 65_535);
    }

    public Duration duration(String key, Duration defaultValue) {
        String expected = "a duration like 50ms, 1s, 5m or 2h";
        String text = scalar(key, expected);
        Duration value = defaultValue;
        if (text != null) {
            Duration parsed = Units.duration(text);
            if (parsed == null) problem(key, text, expected);
            else value = parsed;
        }
        effective.put(key, Units.show(value));
        return value;
    }

    public long bytes(String key, long defaultValue) {
        String expected = "a size like 512KiB, 256MiB or 1GiB";
        String text = scalar(key, expected);
        long value = defaultValue;
        if (text != null) {
            long parsed = Units.bytes(text);
            if (parsed < 0) problem(key, text, expected);
            else value = parsed;
        }
        effective.put(key, Units.showBytes(value));
        return value;
    }

    public boolean bool(String key, boolean defaultValue) {
        String expected = "true or false";
        String text = scalar(key, expected);
        boolean value = defaultValue;
        if (text != null) {
            if (text.equals("true") || text.equals("false")) value = text.equals("true");
            else problem(key, text, expected);
        }
        effective.put(key, value);
        return value;
    }

    /** A list of texts; in the environment separated by commas. */
    public List<String> strings(String key, List<String> defaultValue) {
        List<String> value = readStrings(key, defaultValue);
        ArrayNode shown = effective.putArray(key);
        value.forEach(each -> shown.add(Secrets.hide(key, each)));
        return value;
    }

    /** Whole numbers by names that the file chooses, in its order. Not to be set by the environment. */
    public Map<String, Integer> integers(String key, int min, int max) {
        String expected = "a whole number from " + min + " to " + max;
        Map<String, Integer> value = new LinkedHashMap<>();
        JsonNode node = find(key);
        if (node != null && !node.isObject()) problem(key, describe(node), "a section of names, each with " + expected);
        if (node instanceof ObjectNode names) {
            for (Map.Entry<String, JsonNode> entry : names.properties()) {
                String text = describe(entry.getValue());
                Integer parsed = parse(text);
                if (parsed == null || parsed < min || parsed > max) problem(key + "." + entry.getKey(), text, expected);
                else value.put(entry.getKey(), parsed);
            }
        }
        if (value.isEmpty()) effective.putNull(key);
        else value.forEach(effective.putObject(key)::put);
        return value;
    }

    /** One of the names of the enum, in lower case, words joined by dashes. */
    public <E extends Enum<E>> E choice(String key, Class<E> type, E defaultValue) {
        String expected = "one of "
                + EnumSet.allOf(type).stream().map(ConfigSection::choiceName).collect(Collectors.joining(", "));
        String text = scalar(key, expected);
        E value = defaultValue;
        if (text != null) {
            E found = null;
            for (E each : EnumSet.allOf(type)) {
                if (choiceName(each).equals(text)) found = each;
            }
            if (found == null) problem(key, text, expected);
            else value = found;
        }
        effective.put(key, choiceName(value));
        return value;
    }

    /** A list of sections. Not to be set by the environment. */
    public List<ConfigSection> list(String key) {
        return lists.computeIfAbsent(key, this::readList);
    }

    /** Empty when the file does not have it. */
    public ConfigSection section(String key) {
        return sections.computeIfAbsent(key, this::readSection);
    }

    public void problem(String key, String value, String expected) {
        problems.add(new Problem(pathOf(key), Secrets.hide(key, value), expected));
    }

    /** These keys are no problem, read or not. */
    void allow(Collection<String> keys) {
        known.addAll(keys);
    }

    /** Notes every key that nobody read, here and below. */
    void checkKeys() {
        for (Map.Entry<String, JsonNode> entry : file.properties()) {
            if (!known.contains(entry.getKey())) unknown(entry.getKey(), entry.getValue());
        }
        for (Map.Entry<String, JsonNode> entry : environment.properties()) {
            boolean read = known.stream().anyMatch(each -> each.equalsIgnoreCase(entry.getKey()));
            if (!read) unknown(entry.getKey(), entry.getValue());
        }
        sections.values().forEach(ConfigSection::checkKeys);
        lists.values().forEach(list -> list.forEach(ConfigSection::checkKeys));
    }

    private void unknown(String key, JsonNode value) {
        problem(key, describe(value), "no such key; known are " + String.join(", ", known));
    }

    private List<String> readStrings(String key, List<String> defaultValue) {
        JsonNode node = find(key);
        if (node == null) return defaultValue;
        String expected = "a list of texts";
        if (node.isTextual() && environment.has(lower(key))) {
            return Arrays.stream(node.asText().split(",", -1))
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .toList();
        }
        List<String> value = new ArrayList<>();
        for (JsonNode each : node) {
            if (node.isArray() && each.isValueNode() && !each.isNull()) value.add(each.asText());
        }
        if (!node.isArray() || value.size() != node.size()) {
            problem(key, describe(node), expected);
            return defaultValue;
        }
        return List.copyOf(value);
    }

    private List<ConfigSection> readList(String key) {
        ArrayNode shown = effective.putArray(key);
        JsonNode node = find(key);
        if (node == null) return List.of();
        if (!node.isArray()) {
            problem(key, describe(node), "a list, set in the file");
            return List.of();
        }
        List<ConfigSection> list = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            String name = key + "[" + i + "]";
            if (node.get(i) instanceof ObjectNode each) {
                list.add(new ConfigSection(pathOf(name), each, JSON.objectNode(), shown.addObject(), problems));
            } else {
                problem(name, describe(node.get(i)), "a section");
            }
        }
        return List.copyOf(list);
    }

    private ConfigSection readSection(String key) {
        known.add(key);
        ObjectNode below = below(key, file.get(key));
        ObjectNode overrides = below(key, environment.get(lower(key)));
        return new ConfigSection(pathOf(key), below, overrides, effective.putObject(key), problems);
    }

    private ObjectNode below(String key, @Nullable JsonNode node) {
        if (node instanceof ObjectNode section) return section;
        if (node != null && !node.isNull()) problem(key, describe(node), "a section");
        return JSON.objectNode();
    }

    private @Nullable String scalar(String key, String expected) {
        JsonNode node = find(key);
        if (node == null) return null;
        if (node.isValueNode()) return node.asText();
        problem(key, describe(node), expected);
        return null;
    }

    /** The environment first; nothing and null are the same. */
    private @Nullable JsonNode find(String key) {
        known.add(key);
        JsonNode node = environment.get(lower(key));
        if (node == null) node = file.get(key);
        return node == null || node.isNull() ? null : node;
    }

    private String show(String key, String value) {
        effective.put(key, Secrets.hide(key, value));
        return value;
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static @Nullable Integer parse(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A whole section may hold secrets: it is named, not printed. */
    private static String describe(JsonNode node) {
        if (node.isObject()) return "a section";
        return node.isArray() ? "a list" : node.asText();
    }

    private static String choiceName(Enum<?> each) {
        return each.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String lower(String key) {
        return key.toLowerCase(Locale.ROOT);
    }
}
