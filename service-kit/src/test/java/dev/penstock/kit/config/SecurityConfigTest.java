package dev.penstock.kit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SecurityConfigTest {
    @Test
    void nothing_is_asked_of_clients_unless_it_is_set() throws ConfigException {
        assertThat(read("{}")).isEqualTo(SecurityConfig.OPEN);
        assertThat(SecurityConfig.OPEN.isOpen()).isTrue();
        assertThat(read("security: {apiKeysFile: k.yaml}").isOpen()).isFalse();
        assertThat(read("security: {jwksFile: j.json}").isOpen()).isFalse();
    }

    @Test
    void what_is_set_is_read() throws ConfigException {
        assertThat(read("security: {apiKeysFile: k.yaml, jwksFile: j.json, jwt: {issuer: i, audience: a,"
                        + " tenantClaim: org}, jobKeyFile: j.key}"))
                .isEqualTo(new SecurityConfig(
                        null,
                        Path.of("k.yaml"),
                        Path.of("j.json"),
                        new TokenConfig("i", "a", "org", "models"),
                        Path.of("j.key")));
    }

    @Test
    void demands_on_tokens_without_signers_are_refused() {
        assertThatThrownBy(() -> read("security: {jwt: {issuer: i}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("security.jwt.issuer: demands on tokens, expected security.jwksFile with them");
    }

    @Test
    void blank_names_are_refused() {
        assertThatThrownBy(() -> read("security: {apiKeysFile: ' ', jwksFile: \"a\\0b\", jwt: {tenantClaim: ''}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("security.apiKeysFile: blank")
                .hasMessageContaining("security.jwksFile: blank")
                .hasMessageContaining("security.jwt.tenantClaim: blank");
    }

    private static SecurityConfig read(String yaml) throws ConfigException {
        ConfigTree config = ConfigTree.of(yaml);
        SecurityConfig security = SecurityConfig.read(config);
        config.finish();
        return security;
    }
}
