package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.EngineFleetOptions;
import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.EngineSim;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import dev.penstock.testkit.Sha256;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one router made is found through the other, by the tenant who made it and by nobody else. */
class JobsTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int VIDEO_MILLIS = 300;
    private static final String KEY = "psk_whose-jobs-they-are";
    private static final String STRANGERS_KEY = "psk_somebody-else";

    @TempDir
    static Path data;

    private static Engines engines;
    private static Suite suite;

    @BeforeAll
    static void up() throws Exception {
        engines = Engines.start(
                EngineFleetOptions.defaults().withCount(2).withVideoMillis(VIDEO_MILLIS),
                EngineKind.VLLM,
                EngineKind.SGLANG);
        Path keys = Files.writeString(
                data.resolve("keys.yaml"), "keys:\n" + entry("acme", KEY) + entry("stranger", STRANGERS_KEY));
        Path config = Files.writeString(data.resolve("penstock.yaml"), "security: {apiKeysFile: " + keys + "}");
        suite = Suite.start(data, 2, engines.count(), "--replicas", engines.file(data), "--config", "" + config);
    }

    private static String entry(String tenant, String key) {
        String hash = Sha256.hex(key.getBytes(StandardCharsets.UTF_8));
        return "  - {tenant: " + tenant + ", sha256: '" + hash + "'}\n";
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite, engines);
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void a_video_is_made_at_one_router_and_fetched_through_the_other(EngineKind kind) throws Exception {
        RawHttp.Response created = created(0, kind);
        String id = id(created);

        Await.until("it is ready", SOON, () -> json(get(1, KEY, "/v1/videos/" + id))
                .getString("status")
                .equals("completed"));
        RawHttp.Response content = get(1, KEY, "/v1/videos/" + id + "/content");

        assertThat(content.status()).isEqualTo(200);
        assertThat(content.header("content-type")).isEqualTo("video/mp4");
        assertThat(content.header("x-penstock-replica")).isEqualTo(created.header("x-penstock-replica"));
        engines.assertSameAsSent(content.header("x-penstock-replica"), content.header("x-request-id"), content.body());
        Await.until("it is listed", SOON, () -> listed(KEY).contains(id));
        assertThat(listed(STRANGERS_KEY)).isEmpty();
        for (String path : List.of("/v1/videos/" + id, "/v1/videos/" + id + "/content")) {
            assertThat(get(0, STRANGERS_KEY, path).status()).as(path).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void an_answer_is_gone_on_from_and_read_through_the_other(EngineKind kind) throws Exception {
        String model = "{\"model\":\"" + Engines.model(kind) + "\",\"input\":\"hello\",\"max_output_tokens\":20";
        RawHttp.Response first = post(0, KEY, "/v1/responses", model + "}");
        String goingOn = model + ",\"previous_response_id\":\"" + id(first) + "\"}";

        RawHttp.Response next = post(1, KEY, "/v1/responses", goingOn);

        assertThat(next.status()).as(next.bodyText()).isEqualTo(200);
        assertThat(next.header("x-penstock-replica")).isEqualTo(first.header("x-penstock-replica"));
        assertThat(json(next).getString("previous_response_id")).isEqualTo(id(first));
        // The prompt includes the 20 tokens of the first answer.
        assertThat(json(next).getJsonObject("usage").getInteger("input_tokens")).isGreaterThan(20);
        assertThat(get(1, KEY, "/v1/responses/" + id(first)).bodyText()).isEqualTo(first.bodyText());
        assertThat(get(1, STRANGERS_KEY, "/v1/responses/" + id(first)).status()).isEqualTo(404);
        assertThat(get(1, KEY, "/v1/responses/resp_madeup").status()).isEqualTo(404);
    }

    @Test
    void what_a_killed_engine_had_is_gone() throws Exception {
        RawHttp.Response created = created(0, EngineKind.VLLM);
        EngineSim owner = engines.named(created.header("x-penstock-replica"));

        works(owner);
        Engines.fault(owner, new Fault.Kill());
        assertThat(get(1, KEY, "/v1/videos/" + id(created)).status()).isEqualTo(503);
        Engines.clear(owner);

        RawHttp.Response gone = Await.value(
                "its next process is known",
                SOON,
                () -> {
                    RawHttp.Response answer = get(1, KEY, "/v1/videos/" + id(created));
                    if (answer.status() != 410) restartsAtWork(owner);
                    return answer;
                },
                answer -> answer.status() == 410);
        assertThat(json(gone).getJsonObject("error").getString("code")).isEqualTo("gone");
    }

    /** A next process is known by counters that have fallen: what they had risen to must have been read before. */
    private static void restartsAtWork(EngineSim engine) {
        works(engine);
        Engines.fault(engine, new Fault.Kill());
        Engines.clear(engine);
    }

    private static void works(EngineSim engine) {
        String body = "{\"model\":\"" + Engines.model(EngineKind.VLLM)
                + "\",\"max_tokens\":40,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
        try {
            RawHttp.Response answer =
                    RawHttp.exchange(engine.port(), Suite.post("/v1/chat/completions", body), Suite.ANSWER_TIMEOUT);
            assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawHttp.Response created(int router, EngineKind kind) {
        return post(router, KEY, "/v1/videos", "{\"model\":\"" + Engines.model(kind) + "\",\"prompt\":\"a mill\"}");
    }

    private static List<String> listed(String key) {
        return json(get(1, key, "/v1/videos")).getJsonArray("data").stream()
                .map(each -> ((JsonObject) each).getString("id"))
                .toList();
    }

    private static RawHttp.Response get(int router, String key, String path) {
        return ask(router, "GET " + path + " HTTP/1.1\r\nhost: penstock\r\nauthorization: Bearer " + key + "\r\n\r\n");
    }

    private static RawHttp.Response post(int router, String key, String path, String body) {
        RawHttp.Response answer = ask(router, Suite.post(path, body, "authorization: Bearer " + key));
        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        return answer;
    }

    private static RawHttp.Response ask(int router, String request) {
        try {
            return RawHttp.exchange(suite.routerPorts().get(router), request, Suite.ANSWER_TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonObject json(RawHttp.Response answer) {
        return new JsonObject(answer.bodyText());
    }

    private static String id(RawHttp.Response answer) {
        return json(answer).getString("id");
    }
}
