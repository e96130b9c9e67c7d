package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reranking, scores, classes, pooling and tokens. */
class ScoresApiTest {
    private static final String RERANK =
            "{\"query\":\"water\",\"documents\":[\"a mill\",{\"text\":\"a river\"},\"a cat\"],\"top_n\":2}";

    private static RunningFleet vllm;
    private static RunningFleet sglang;

    @BeforeAll
    static void start() {
        vllm = RunningFleet.ofOne();
        sglang = RunningFleet.ofKind(EngineKind.SGLANG);
    }

    @AfterAll
    static void stop() {
        vllm.close();
        sglang.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/rerank", "/rerank", "/v2/rerank"})
    void vllm_ranks_the_best_first(String path) throws Exception {
        JsonNode ranked = vllm.json(vllm.post(path, RERANK, "X-Request-Id", "r"));

        assertThat(ranked.path("id").asText()).isEqualTo("rerank-r");
        assertThat(ranked.path("results")).hasSize(2);
        assertThat(ranked.path("results").path(0).path("relevance_score").asDouble())
                .isGreaterThan(
                        ranked.path("results").path(1).path("relevance_score").asDouble());
        assertThat(ranked.path("usage").path("prompt_tokens").asInt()).isPositive();
    }

    @Test
    void sglang_answers_a_bare_list_of_the_same_order() throws Exception {
        JsonNode list = sglang.json(sglang.post("/v1/rerank", RERANK));
        JsonNode ranked = vllm.json(vllm.post("/v1/rerank", RERANK)).path("results");

        assertThat(list.isArray()).isTrue();
        for (int place = 0; place < 2; place++) {
            assertThat(list.path(place).path("index"))
                    .isEqualTo(ranked.path(place).path("index"));
            assertThat(list.path(place).path("score"))
                    .isEqualTo(ranked.path(place).path("relevance_score"));
        }
        assertThat(list.path(0).path("document").asText()).startsWith("a ");
    }

    @Test
    void scores_have_each_engines_shape() throws Exception {
        JsonNode ofVllm = vllm.json(vllm.post("/v1/score", "{\"text_1\":\"a\",\"text_2\":[\"b\",\"c\"]}"));
        JsonNode ofSglang = sglang.json(
                sglang.post("/score", "{\"query\":\"a\",\"items\":[\"b\",\"c\"],\"label_token_ids\":[1,2]}"));

        assertThat(ofVllm.path("data")).hasSize(2);
        assertThat(ofVllm.path("data").path(1).path("object").asText()).isEqualTo("score");
        assertThat(ofVllm.path("data").path(0).path("score").asDouble()).isBetween(0.0, 1.0);
        assertThat(ofSglang.path("scores")).hasSize(2);
        assertThat(ofSglang.path("scores").path(0)).hasSize(2);
        assertThat(ofSglang.path("object").asText()).isEqualTo("scoring");
    }

    @Test
    void classes_and_pooled_vectors_come_per_input() throws Exception {
        JsonNode classes = sglang.json(sglang.post("/v1/classify", "{\"input\":[\"a\",\"b\"]}"));
        JsonNode pooled = vllm.json(vllm.post("/pooling", "{\"input\":\"a\"}"));

        assertThat(classes.path("data")).hasSize(2);
        assertThat(classes.path("data").path(0).path("num_classes").asInt()).isEqualTo(2);
        assertThat(pooled.path("data").path(0).path("data")).hasSize(16);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/rerank|{\"documents\":[\"a\"]}",
                "/v1/rerank|{\"query\":\"a\",\"documents\":\"b\"}",
                "/v1/rerank|{\"query\":\"a\",\"documents\":[\"b\"],\"top_n\":\"x\"}",
                "/v1/score|{\"text_1\":\"a\"}",
                "/classify|{}",
                "/tokenize|{}",
                "/detokenize|{\"tokens\":\"a\"}",
                "/tokenize|[",
            })
    void a_body_that_lacks_something_gets_the_engines_own_400(String path, String body) throws Exception {
        assertThat(vllm.json(vllm.post(path, body)).path("error").path("type").asText())
                .isEqualTo("Bad Request");
        assertThat(sglang.json(sglang.post(path, body)).path("code").asInt()).isEqualTo(400);
    }

    @Test
    void text_is_tokenized_and_back() throws Exception {
        JsonNode ofVllm = vllm.json(vllm.post("/tokenize", "{\"prompt\":\"12345678\"}"));
        JsonNode ofSglang = sglang.json(sglang.post("/v1/tokenize", "{\"prompt\":\"12345678\"}"));
        String tokens = "{\"tokens\":" + ofVllm.path("tokens") + "}";

        assertThat(ofVllm.path("count").asInt()).isEqualTo(2);
        assertThat(ofSglang.path("tokens")).isEqualTo(ofVllm.path("tokens"));
        assertThat(vllm.post("/detokenize", tokens).body()).isEqualTo("{\"prompt\":\"12345678\"}");
        assertThat(sglang.post("/v1/detokenize", tokens).body()).isEqualTo("{\"text\":\"12345678\"}");
        assertThat(vllm.post("/v1/tokenize", tokens).statusCode()).isEqualTo(404);
    }

    @Test
    void a_model_is_told_by_its_name() throws Exception {
        JsonNode listed = vllm.json(vllm.get("/v1/models")).path("data").path(0);

        assertThat(vllm.json(vllm.get("/v1/models/sim/llama-3-8b"))).isEqualTo(listed);
        assertThat(vllm.json(vllm.get("/v1/models/sim%2Fllama-3-8b"))).isEqualTo(listed);
        assertThat(sglang.get("/v1/models/gpt").statusCode()).isEqualTo(404);
    }
}
