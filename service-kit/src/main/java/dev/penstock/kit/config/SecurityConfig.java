package dev.penstock.kit.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The {@code security} part. With neither file everybody is served.
 *
 * @param managementToken what callers of a management port must show as their bearer token, or null for nothing
 * @param apiKeysFile hashes of the API keys that clients may show, or null
 * @param jwksFile public keys that sign the tokens that clients may show, or null
 * @param jobKeyFile key that ids of jobs and stored answers are authenticated with, the same at all routers, or null for one
 *     that they share by Redis
 */
public record SecurityConfig(
        @Nullable String managementToken,
        @Nullable Path apiKeysFile,
        @Nullable Path jwksFile,
        TokenConfig tokens,
        @Nullable Path jobKeyFile) {
    /** Nothing is asked of anybody. */
    public static final SecurityConfig OPEN = new SecurityConfig(null, null, null, TokenConfig.DEFAULT, null);

    public static SecurityConfig read(ConfigTree config) {
        ConfigSection security = config.section("security");
        Path apiKeys = path(security, "apiKeysFile");
        Path jwks = path(security, "jwksFile");
        TokenConfig tokens = TokenConfig.read(security.section("jwt"), jwks != null);
        String token = security.optionalString("managementToken");
        if (token != null && token.length() < 16) {
            security.problem("managementToken", token, "at least 16 characters");
        }
        return new SecurityConfig(token, apiKeys, jwks, tokens, path(security, "jobKeyFile"));
    }

    /** Clients need no key. */
    public boolean isOpen() {
        return apiKeysFile == null && jwksFile == null;
    }

    /** An empty name would read as the working directory, and a key file that is none must not open the door. */
    private static @Nullable Path path(ConfigSection security, String key) {
        String text = security.optionalString(key);
        if (text == null) return null;
        if (text.isBlank() || text.indexOf('\0') >= 0) security.problem(key, "blank", "the path of a file");
        return Path.of(text.replace('\0', ' '));
    }
}
