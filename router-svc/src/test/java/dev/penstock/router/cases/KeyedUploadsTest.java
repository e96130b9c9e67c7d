package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Form;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Forms and sessions need a key like any request, and it may bound their models. */
@ExtendWith(CaseExtension.class)
class KeyedUploadsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String KEY = "psk_any-model";
    private static final String BOUND = "psk_other-model";
    private static final String AGREED = "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

    private final CaseInfra infra;
    private final RouterScene scene;

    KeyedUploadsTest(CaseInfra infra, @TempDir Path directory) throws Exception {
        this.infra = infra;
        Path keys = Files.writeString(
                directory.resolve("keys.yaml"),
                "keys:\n  - {tenant: acme, sha256: '" + sha256(KEY) + "'}\n  - {tenant: acme, sha256: '" + sha256(BOUND)
                        + "', models: [other]}\n");
        scene = RouterScene.start(this.infra, "keyed", RouterScene.USUAL + "security: {apiKeysFile: '" + keys + "'}\n");
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void keys_are_asked_for_and_bound_models() throws Exception {
        byte[] form = new Form()
                .field("model", "org/m-7b")
                .file("file", new byte[200_000])
                .bytes();
        try (Fleet fleet = scene.fleet(1)) {
            assertThat(send(Requests.form(form)).status()).isEqualTo(401);
            assertThat(send(Requests.form(form, "X-Api-Key: " + BOUND)).status())
                    .isEqualTo(403);
            assertThat(fleet.count()).isZero();
            assertThat(send(Requests.form(form, "X-Api-Key: " + KEY)).status()).isEqualTo(200);

            fleet.plan(Plan.start().send(AGREED).hold());
            assertThat(send(asking("realtime")).status()).isEqualTo(401);
            assertThat(send(asking("realtime, openai-insecure-api-key." + BOUND))
                            .status())
                    .isEqualTo(403);
            assertThat(fleet.count()).isEqualTo(1);
            try (RawClient client = RawClient.connect(scene.port())) {
                client.send(asking("realtime, openai-insecure-api-key." + KEY)).awaitText("HTTP/1.1 101", SOON);
            }

            assertThat(fleet.requests()).hasSize(2).allSatisfy(seen -> assertThat(String.join("\n", seen.headers()))
                    .doesNotContain("psk_"));
            fleet.awaitIdle();
        }
    }

    private static byte[] asking(String protocols) {
        return Requests.head(
                "GET /v1/realtime?model=org/m-7b",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Protocol: " + protocols);
    }

    private Response send(byte[] request) throws Exception {
        return RawClient.exchange(scene.port(), request, SOON).answer();
    }

    private static String sha256(String key) {
        return Sha256.hex(key.getBytes(StandardCharsets.US_ASCII));
    }
}
