package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.step.Profile;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class EngineKindTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode get(RunningFleet running, EngineSim engine, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(engine.endpoint() + path)).build();
        return JSON.readTree(
                running.client.send(request, BodyHandlers.ofString()).body());
    }

    @Test
    void a_mixed_fleet_has_vllm_on_even_numbers_and_sglang_on_odd_ones() throws Exception {
        try (RunningFleet running =
                new RunningFleet(EngineFleetOptions.defaults().withCount(4).withKind(EngineKind.MIXED))) {
            for (int i = 0; i < 4; i++) {
                EngineSim engine = running.fleet.engine("engine-" + i);
                String kind = i % 2 == 0 ? "vllm" : "sglang";

                assertThat(engine.kind().option()).isEqualTo(kind);
                assertThat(engine.state().kind()).isEqualTo(engine.kind());
                assertThat(get(running, engine, "/sim/state").path("kind").asText())
                        .isEqualTo(kind);
                assertThat(get(running, engine, "/v1/models")
                                .path("data")
                                .path(0)
                                .path("owned_by")
                                .asText())
                        .isEqualTo(kind);
            }
        }
    }

    @Test
    void an_unknown_kind_is_answered_with_the_known_ones() {
        assertThat(EngineKind.named("sglang")).isEqualTo(EngineKind.SGLANG);
        assertThatThrownBy(() -> EngineKind.named("tgi"))
                .hasMessage("engine kind: expected vllm, sglang or mixed, got 'tgi'");
    }

    @Test
    void vllm_tells_cached_tokens_when_asked_for_and_counts_them_anyway() throws Exception {
        String body = "{\"prompt\":\"" + "0123456789abcdef".repeat(16) + "\",\"max_tokens\":1";
        String stream = ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";
        try (RunningFleet silent = RunningFleet.ofOne();
                RunningFleet told =
                        new RunningFleet(EngineFleetOptions.defaults().withPromptDetails(true))) {
            for (RunningFleet running : new RunningFleet[] {silent, told}) {
                assertThat(running.post("/v1/completions", body + "}").body())
                        .contains("\"prompt_tokens_details\":null");
                assertThat(running.metric("vllm:prefix_cache_queries_total")).isEqualTo(64);
                assertThat(running.metric("vllm:prefix_cache_hits_total")).isZero();
            }
            assertThat(silent.post("/v1/completions", body + "}").body()).contains("\"prompt_tokens_details\":null");
            assertThat(told.post("/v1/completions", body + "}").body())
                    .contains("\"prompt_tokens_details\":{\"cached_tokens\":48}");
            assertThat(silent.post("/v1/completions", body + stream).body()).doesNotContain("details");
            assertThat(told.post("/v1/completions", body + stream).body())
                    .contains("\"completion_tokens\":1,\"prompt_tokens_details\":{\"cached_tokens\":48}}");
            assertThat(told.metric("vllm:prefix_cache_queries_total")).isEqualTo(3 * 64);
            assertThat(told.metric("vllm:prefix_cache_hits_total")).isEqualTo(2 * 48);
            assertThat(told.metric("vllm:prompt_tokens_cached_total")).isEqualTo(2 * 48);
            assertThat(told.post("/v1/completions", body + ",\"cache_salt\":\"s\"}")
                            .body())
                    .contains("\"prompt_tokens_details\":null");
        }
    }

    @Test
    void a_conversation_continued_finds_its_past() throws Exception {
        String past = "{\"role\":\"user\",\"content\":\"" + "tell me more. ".repeat(40) + "\"}";
        String chat = "{\"messages\":[%s],\"max_tokens\":1}";
        try (RunningFleet told = new RunningFleet(EngineFleetOptions.defaults().withPromptDetails(true))) {
            told.post("/v1/chat/completions", chat.formatted(past));

            // 560 bytes are 140 tokens, of which eight blocks are full.
            assertThat(told.post(
                                    "/v1/chat/completions",
                                    chat.formatted(past + ",{\"role\":\"user\",\"content\":\"and?\"}"))
                            .body())
                    .contains("\"cached_tokens\":128}");
        }
    }

    @Test
    void an_embedding_engine_embeds_text_and_images_and_refuses_to_generate() throws Exception {
        String image = "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,AAAA\"}}";
        try (RunningFleet running =
                new RunningFleet(EngineFleetOptions.defaults().withProfile(Profile.EMBEDDING))) {
            assertThat(running.post("/v1/chat/completions", RunningFleet.chat(1, ""))
                            .body())
                    .contains("\"message\":\"The model does not support Chat Completions API\"");
            JsonNode text = JSON.readTree(
                    running.post("/v1/embeddings", "{\"input\":\"hello\"}").body());
            assertThat(text.path("data").path(0).path("embedding").size()).isEqualTo(2048);
            JsonNode images = JSON.readTree(running.post(
                            "/v1/embeddings",
                            "{\"messages\":[{\"role\":\"user\",\"content\":[" + image + "]}],\"dimensions\":8}")
                    .body());
            assertThat(images.path("usage").path("prompt_tokens").asInt()).isEqualTo(256);
            assertThat(images.path("data").path(0).path("embedding").size()).isEqualTo(8);
        }
    }

    /** Idle engines have no thread and no timer; what they cost is memory for a port and a page. */
    @Test
    void a_thousand_engines_start_in_one_jvm_and_answer() throws Exception {
        try (RunningFleet running =
                new RunningFleet(EngineFleetOptions.defaults().withCount(1000).withKind(EngineKind.MIXED))) {
            for (int i = 0; i < 1000; i += 111) {
                assertThat(get(running, running.fleet.engine("engine-" + i), "/v1/models")
                                .path("object")
                                .asText())
                        .isEqualTo("list");
            }
        }
    }
}
