package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.PermissionDeniedException;
import com.openai.errors.UnauthorizedException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.penstock.testkit.RawHttp;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.ScriptedReplica;
import dev.penstock.testkit.raw.SeenRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may use a router, by keys and by tokens; engines learn of neither. */
class ClientKeysTest {
    private static final String MODEL = "sim/seen";
    private static final String KEY = "psk_all-that-is-served";
    private static final String OTHER_KEY = "psk_another-model-only";
    private static final String ANSWER =
            "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"" + MODEL
                    + "\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"logprobs\":null,"
                    + "\"message\":{\"role\":\"assistant\",\"content\":\"hi\",\"refusal\":null}}]}";

    @TempDir
    static Path data;

    private static ECKey signer;
    private static ScriptedReplica engine;
    private static Suite suite;

    @BeforeAll
    static void up() throws Exception {
        signer = new ECKeyGenerator(Curve.P_256).keyID("issuer-1").generate();
        engine = ScriptedReplica.start(MODEL, Plan.json(200, ANSWER));
        Path replicas = Files.writeString(
                data.resolve("engines.yaml"),
                "replicas: [{name: seen, endpoint: \"http://127.0.0.1:" + engine.port() + "\", models: [" + MODEL
                        + "], engine: vllm}]");
        suite = Suite.start(data, 1, 1, "--replicas", replicas.toString(), "--config", config().toString());
    }

    private static Path config() throws IOException {
        Path keys = Files.writeString(
                data.resolve("keys.yaml"),
                "keys:\n" + entry("acme", KEY, "") + entry("guest", OTHER_KEY, ", models: [x]"));
        Path jwks = Files.writeString(
                data.resolve("jwks.json"), "{\"keys\":[" + signer.toPublicJWK().toJSONString() + "]}");
        return Files.writeString(
                data.resolve("penstock.yaml"), "security: {apiKeysFile: " + keys + ", jwksFile: " + jwks + "}");
    }

    private static String entry(String tenant, String key, String more) {
        String hash = Sha256.hex(key.getBytes(StandardCharsets.UTF_8));
        return "  - {tenant: " + tenant + ", sha256: '" + hash + "'" + more + "}\n";
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite, engine);
    }

    @Test
    void without_a_key_nothing_is_served() throws Exception {
        int before = engine.log().count();

        RawHttp.Response chat = ask(Suite.chat(MODEL, "hi", false, 4));
        RawHttp.Response message = ask(Suite.post("/v1/messages", "{\"model\":\"" + MODEL + "\",\"messages\":[]}"));
        RawHttp.Response models = ask("GET /v1/models HTTP/1.1\r\nhost: penstock\r\n\r\n");

        assertThat(List.of(chat, message, models)).allSatisfy(refused -> {
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.header("www-authenticate")).isEqualTo("Bearer");
        });
        assertThat(error(chat).getString("code")).isEqualTo("invalid_api_key");
        assertThat(error(message).getString("type")).isEqualTo("authentication_error");
        assertThat(engine.log().count()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization: Bearer ", "x-api-key: ", "api-key: "})
    void a_key_opens_and_stops_at_the_router(String header) throws Exception {
        RawHttp.Response answer = ask(Suite.chat(MODEL, "hi", false, 4, header + KEY));

        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        assertThat(answer.bodyText()).isEqualTo(ANSWER);
        assertNotTold(answer, KEY);
    }

    @Test
    void openais_client_is_served_or_told_why_not() {
        ChatCompletionCreateParams chat = ChatCompletionCreateParams.builder()
                .model(MODEL)
                .addUserMessage("hi")
                .build();
        try (Client served = Client.with(KEY);
                Client refused = Client.with(OTHER_KEY);
                Client unknown = Client.with("psk_nobody's")) {
            ChatCompletion answer = served.openai().chat().completions().create(chat);
            assertThat(answer.choices().getFirst().message().content()).contains("hi");
            assertThatExceptionOfType(PermissionDeniedException.class)
                    .isThrownBy(() -> refused.openai().chat().completions().create(chat))
                    .satisfies(error -> assertThat(error.code()).contains("model_not_allowed"));
            assertThatExceptionOfType(UnauthorizedException.class)
                    .isThrownBy(() -> unknown.openai().chat().completions().create(chat))
                    .satisfies(error -> assertThat(error.code()).contains("invalid_api_key"));
        }
    }

    @Test
    void a_key_lists_only_the_models_it_may_use() throws Exception {
        String list = "GET /v1/models HTTP/1.1\r\nhost: penstock\r\nauthorization: Bearer ";

        assertThat(ask(list + KEY + "\r\n\r\n").bodyText()).contains("\"" + MODEL + "\"");
        assertThat(ask(list + OTHER_KEY + "\r\n\r\n").bodyText()).doesNotContain(MODEL);
    }

    @Test
    void a_token_opens_for_the_models_it_names_until_it_expires() throws Exception {
        Instant soon = Instant.now().plusSeconds(600);
        String token = token(new JWTClaimsSet.Builder().subject("org-7").expirationTime(Date.from(soon)));
        String other = token(new JWTClaimsSet.Builder()
                .subject("org-7")
                .claim("models", List.of("x"))
                .expirationTime(Date.from(soon)));
        String expired = token(new JWTClaimsSet.Builder()
                .subject("org-7")
                .expirationTime(Date.from(Instant.now().minusSeconds(600))));

        RawHttp.Response answer = ask(Suite.chat(MODEL, "hi", false, 4, "authorization: Bearer " + token));

        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        assertNotTold(answer, token);
        RawHttp.Response notAllowed = ask(Suite.chat(MODEL, "hi", false, 4, "authorization: Bearer " + other));
        assertThat(notAllowed.status()).isEqualTo(403);
        assertThat(error(notAllowed).getString("code")).isEqualTo("model_not_allowed");
        assertThat(ask(Suite.chat(MODEL, "hi", false, 4, "authorization: Bearer " + expired))
                        .status())
                .isEqualTo(401);
    }

    private record Client(OpenAIClient openai) implements AutoCloseable {
        static Client with(String key) {
            return new Client(OpenAIOkHttpClient.builder()
                    .baseUrl("http://127.0.0.1:" + suite.routerPorts().getFirst() + "/v1")
                    .apiKey(key)
                    .maxRetries(0)
                    .build());
        }

        @Override
        public void close() {
            openai.close();
        }
    }

    private static String token(JWTClaimsSet.Builder claims) throws Exception {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID(signer.getKeyID())
                .build();
        SignedJWT token = new SignedJWT(header, claims.build());
        token.sign(new ECDSASigner(signer));
        return token.serialize();
    }

    private static RawHttp.Response ask(String request) throws IOException {
        return RawHttp.exchange(suite.routerPorts().getFirst(), request, Suite.ANSWER_TIMEOUT);
    }

    private static JsonObject error(RawHttp.Response refused) {
        return new JsonObject(refused.bodyText()).getJsonObject("error");
    }

    private static void assertNotTold(RawHttp.Response answer, String secret) {
        String id = answer.header("x-request-id") + "-a1";
        SeenRequest seen = engine.log().requests().stream()
                .filter(request -> request.values("x-request-id").contains(id))
                .findFirst()
                .orElseThrow();
        assertThat(seen.headers()).noneMatch(line -> line.contains(secret));
        assertThat(List.of("authorization", "x-api-key", "api-key")).noneMatch(seen::has);
    }
}
