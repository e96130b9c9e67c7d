package dev.penstock.router.auth;

import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.testkit.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of keys in a directory, and routers that read them. */
final class KeyFiles {
    private final Path apiKeys;
    private final Path jwks;

    KeyFiles(Path directory) {
        apiKeys = directory.resolve("keys.yaml");
        jwks = directory.resolve("jwks.json");
    }

    static String entry(String tenant, String key, String more) {
        return "  - {tenant: '" + tenant + "', sha256: '" + Sha256.hex(key.getBytes(StandardCharsets.UTF_8)) + "'"
                + more + "}\n";
    }

    KeyFiles apiKeys(String... entries) {
        return apiKeysText("keys:\n" + String.join("", entries));
    }

    KeyFiles apiKeysText(String text) {
        return write(apiKeys, text);
    }

    KeyFiles jwks(String text) {
        return write(jwks, text);
    }

    KeyFiles removeApiKeys() throws IOException {
        Files.delete(apiKeys);
        return this;
    }

    /** As a router that starts does it. */
    Authenticator open(String... settings) throws ConfigException {
        String files = (Files.exists(apiKeys) ? "  apiKeysFile: " + apiKeys + "\n" : "")
                + (Files.exists(jwks) ? "  jwksFile: " + jwks + "\n" : "");
        return openAt("security:\n" + files + String.join("", settings));
    }

    static Authenticator openAt(String yaml) throws ConfigException {
        ConfigTree tree = ConfigTree.of(yaml);
        Authenticator authenticator = Authenticator.open(SecurityConfig.read(tree), tree);
        tree.finish();
        return authenticator;
    }

    private KeyFiles write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }
}
