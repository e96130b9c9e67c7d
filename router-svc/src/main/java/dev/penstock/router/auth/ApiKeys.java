package dev.penstock.router.auth;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a file, by their hashes. A key is looked for by its hash, so how long that takes says nothing about the bytes
 * of a key that is right. Immutable.
 */
record ApiKeys(Map<KeyHash, ApiKey> hashToKey) {
    /** Of the keys that the command line makes; others are taken too. */
    static final String PREFIX = "psk_";

    static final ApiKeys NONE = new ApiKeys(Map.of());

    ApiKeys {
        hashToKey = Map.copyOf(hashToKey);
    }

    @Nullable
    ApiKey find(KeyHash hash) {
        return hashToKey.get(hash);
    }

    Set<String> tenants() {
        return hashToKey.values().stream()
                .map(key -> key.granted().tenant().name())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** For logs. */
    String summary() {
        return hashToKey.size() + " keys of " + tenants().size() + " tenants";
    }
}
