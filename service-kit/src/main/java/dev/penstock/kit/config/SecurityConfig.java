package dev.penstock.kit.config;

import org.jspecify.annotations.Nullable;

/**
 * The {@code security} part.
 *
 * @param managementToken what callers of a management port must show as their bearer token, or null for nothing
 */
public record SecurityConfig(@Nullable String managementToken) {
    public static SecurityConfig read(ConfigTree config) {
        ConfigSection security = config.section("security");
        String apiKeys = security.optionalString("apiKeysFile");
        String jwks = security.optionalString("jwksFile");
        String later = "nothing: this version does not check client keys; put it behind something that does";
        if (apiKeys != null) security.problem("apiKeysFile", apiKeys, later);
        if (jwks != null) security.problem("jwksFile", jwks, later);
        String token = security.optionalString("managementToken");
        if (token != null && token.length() < 16) {
            security.problem("managementToken", token, "at least 16 characters");
        }
        return new SecurityConfig(token);
    }
}
