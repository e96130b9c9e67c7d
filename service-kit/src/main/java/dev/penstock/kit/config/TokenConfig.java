package dev.penstock.kit.config;

import org.jspecify.annotations.Nullable;

/**
 * {@code security.jwt}: what a client's token must say.
 *
 * @param issuer what its {@code iss} must be, or null for anything
 * @param audience what must be among its {@code aud}, or null for anything
 * @param tenantClaim names the tenant
 * @param modelsClaim lists the models it may use; a token without it may use all
 */
public record TokenConfig(@Nullable String issuer, @Nullable String audience, String tenantClaim, String modelsClaim) {
    public static final TokenConfig DEFAULT = new TokenConfig(null, null, "sub", "models");

    /** A demand on tokens that nobody can show is a file that was forgotten. */
    static TokenConfig read(ConfigSection section, boolean tokensAreTaken) {
        TokenConfig config = new TokenConfig(
                section.optionalString("issuer"),
                section.optionalString("audience"),
                section.string("tenantClaim", DEFAULT.tenantClaim),
                section.string("modelsClaim", DEFAULT.modelsClaim));
        if (!tokensAreTaken && !config.equals(DEFAULT)) {
            section.problem("issuer", "demands on tokens", "security.jwksFile with them");
        }
        if (config.tenantClaim.isBlank()) section.problem("tenantClaim", "blank", "the name of a claim");
        if (config.modelsClaim.isBlank()) section.problem("modelsClaim", "blank", "the name of a claim");
        return config;
    }
}
