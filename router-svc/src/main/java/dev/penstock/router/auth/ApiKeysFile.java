package dev.penstock.router.auth;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code keys: [{tenant, sha256, models, expires}]}, strictly: a key that means less than was meant is a hole. */
final class ApiKeysFile {
    private static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    private static final Set<String> FIELDS = Set.of("tenant", "sha256", "models", "expires");
    private static final String KEYS = "a list like keys: [{tenant: acme, sha256: 64 hexadecimal digits}]";
    private static final String EXPIRES =
            "a day like 2027-12-31, which is the last, or a time like 2027-12-31T12:00:00Z";

    private final Faults faults;
    private final Map<KeyHash, ApiKey> hashToKey = new HashMap<>();

    private ApiKeysFile(Faults faults) {
        this.faults = faults;
    }

    /** Only to be used when there are no faults. */
    static ApiKeys parse(String yaml, Faults faults) {
        ApiKeysFile file = new ApiKeysFile(faults);
        try {
            file.read(YAML.readTree(yaml));
        } catch (JsonProcessingException e) {
            // Its message may quote the file.
            JsonLocation at = e.getLocation();
            faults.add(at == null ? "the file" : "line " + at.getLineNr(), "not YAML, or names a field twice", KEYS);
        }
        return new ApiKeys(file.hashToKey);
    }

    private void read(@Nullable JsonNode root) {
        JsonNode keys = root == null ? null : root.get("keys");
        if (root == null || keys == null || root.size() != 1) {
            faults.add("the file", "something else", KEYS + " and nothing more");
        } else if (!keys.isArray()) {
            faults.add("keys", kind(keys), KEYS);
        } else {
            for (int i = 0; i < keys.size(); i++) entry("keys[" + i + "]", keys.get(i));
        }
    }

    private void entry(String at, JsonNode entry) {
        if (!entry.isObject()) {
            faults.add(at, kind(entry), "a map with tenant and sha256");
            return;
        }
        for (Map.Entry<String, JsonNode> field : entry.properties()) {
            if (!FIELDS.contains(field.getKey())) {
                faults.add(at, "a map with an unknown field", "tenant, sha256, models, expires");
            }
        }
        String tenant = tenant(at + ".tenant", entry.get("tenant"));
        KeyHash hash = hash(at + ".sha256", entry.get("sha256"));
        Set<String> models = models(at + ".models", entry.get("models"));
        long expiresMillis = expires(at + ".expires", entry.get("expires"));
        if (tenant == null || hash == null) return;
        ApiKey key = new ApiKey(new Access.Granted(new Tenant(tenant, tenant, models)), expiresMillis);
        if (hashToKey.put(hash, key) != null) faults.add(at + ".sha256", "that of an earlier entry", "each key once");
    }

    private @Nullable String tenant(String at, @Nullable JsonNode node) {
        if (node != null && node.isTextual() && TenantName.isSound(node.asText())) return node.asText();
        faults.add(at, kind(node), TenantName.EXPECTED);
        return null;
    }

    /** A hash of 64 decimal digits is a number to YAML, which would lose digits if it had an e; it has to be quoted. */
    private @Nullable KeyHash hash(String at, @Nullable JsonNode node) {
        KeyHash hash = node != null && node.isTextual() ? KeyHash.parse(node.asText()) : null;
        if (hash == null) faults.add(at, kind(node), "the key's SHA-256 as 64 hexadecimal digits, in quotes");
        return hash;
    }

    private @Nullable Set<String> models(String at, @Nullable JsonNode node) {
        if (node == null) return null;
        Set<String> models = new HashSet<>();
        for (JsonNode each : node) {
            if (node.isArray() && each.isTextual() && !each.asText().isBlank()) models.add(each.asText());
        }
        if (!node.isArray() || models.isEmpty() || models.size() != node.size()) {
            faults.add(at, kind(node), "a list of models, each once; without the field all are allowed");
        }
        return Set.copyOf(models);
    }

    private long expires(String at, @Nullable JsonNode node) {
        if (node == null) return ApiKey.NEVER;
        try {
            String text = node.isTextual() ? node.asText() : "";
            if (text.length() > 10) return Instant.parse(text).toEpochMilli();
            return LocalDate.parse(text)
                    .plusDays(1)
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeParseException | ArithmeticException e) {
            faults.add(at, kind(node), EXPIRES);
            return 0;
        }
    }

    private static String kind(@Nullable JsonNode node) {
        if (node == null) return "missing";
        return switch (node.getNodeType()) {
            case STRING -> "a text of " + node.asText().length() + " characters";
            case ARRAY -> "a list of " + node.size();
            case OBJECT -> "a map";
            case NUMBER -> "a number";
            case NULL -> "empty";
            default -> "no text";
        };
    }
}
