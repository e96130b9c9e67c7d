package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.engine.SentBody;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What relay tests lean on: pieces that respect nothing, and a record of what was sent. */
class StreamBytesTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY = RunningFleet.chat(60, ",\"stream\":true");

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 333, 100_000})
    void split_streams_have_the_same_bytes(int pieceBytes) throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            byte[] split = running.client
                    .send(
                            running.posting(CHAT, BODY, "X-Request-Id", "s", "x-sim-split", "" + pieceBytes),
                            BodyHandlers.ofByteArray())
                    .body();
            String whole = running.post(CHAT, BODY, "X-Request-Id", "s").body();

            assertThat(steady(new String(split, StandardCharsets.UTF_8))).isEqualTo(steady(whole));
        }
    }

    private static String steady(String stream) {
        return stream.replaceAll("\"created\":\\d+", "\"created\":7");
    }

    @Test
    void each_piece_is_a_chunk_of_its_own() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne();
                RawStream raw = new RawStream(
                        running.engine,
                        CHAT,
                        RunningFleet.chat(2, ",\"stream\":true"),
                        "x-sim-split: 10",
                        "connection: close")) {
            String body = raw.readToEnd();
            body = body.substring(body.indexOf("\r\n\r\n") + 4);

            assertThat(body)
                    .startsWith("a\r\ndata: {\"id\r\na\r\n\":\"chatcmp\r\na\r\n")
                    .endsWith("\r\n0\r\n\r\n");
        }
    }

    @Test
    void the_engine_tells_the_digest_of_what_it_sent() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            byte[] got = running.client
                    .send(
                            running.posting(CHAT, BODY, "X-Request-Id", "digest-1", "x-sim-split", "5"),
                            BodyHandlers.ofByteArray())
                    .body();
            JsonNode told = new ObjectMapper()
                    .readTree(running.get("/sim/streams/digest-1").body());

            String sha256 = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(got));
            assertThat(told.path("sha256").asText()).isEqualTo(sha256);
            assertThat(told.path("bytes").asInt()).isEqualTo(got.length);
            assertThat(told.path("ending").asText()).isEqualTo("completed");
            assertThat(running.engine.sentBody("digest-1"))
                    .isEqualTo(new SentBody("digest-1", sha256, got.length, Ending.COMPLETED));
            assertThat(running.get("/sim/streams/nobody").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void the_same_seed_and_prompt_give_the_same_text_on_every_engine() throws Exception {
        EngineFleetOptions two = EngineFleetOptions.defaults().withCount(2).withSeed(5);
        try (RunningFleet running = new RunningFleet(two);
                RunningFleet other = new RunningFleet(two.withSeed(6))) {
            String first = content(running, 0);

            assertThat(content(running, 1)).isEqualTo(first);
            assertThat(content(other, 0)).isNotEqualTo(first);
        }
    }

    private static String content(RunningFleet running, int engine) throws Exception {
        var request = java.net.http.HttpRequest.newBuilder(
                        running.posting(CHAT, RunningFleet.chat(20, "")), (n, v) -> true)
                .uri(java.net.URI.create(running.fleet.engines().get(engine).endpoint() + CHAT))
                .build();
        String body = running.client.send(request, BodyHandlers.ofString()).body();
        return new ObjectMapper()
                .readTree(body)
                .path("choices")
                .path(0)
                .path("message")
                .path("content")
                .asText();
    }
}
