package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.metrics.MetricDialect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The HTTP API as a client sees it. */
class VllmApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHAT = "/v1/chat/completions";

    private static RunningFleet running;

    @BeforeAll
    static void start() {
        running = RunningFleet.ofOne();
    }

    @AfterAll
    static void stop() {
        running.close();
    }

    private static String steady(String stream) {
        return stream.replaceAll("\"created\":\\d+", "\"created\":7");
    }

    @Test
    void a_chat_stream_has_exactly_this_framing() throws Exception {
        String body = RunningFleet.chat(3, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}");

        HttpResponse<String> response = running.post(CHAT, body, "X-Request-Id", "r-1");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).contains("text/event-stream; charset=utf-8");
        String head = "data:"
            + " {\"id\":\"chatcmpl-r-1\",\"object\":\"chat.completion.chunk\",\"created\":7,\"model\":\"sim/llama-3-8b\",";
        String[] words = running.fleetText(3);
        assertThat(steady(response.body()))
                .isEqualTo(head
                        + "\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n"
                        + head
                        + "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + words[0]
                        + "\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n"
                        + head
                        + "\"choices\":[{\"index\":0,\"delta\":{\"content\":\" " + words[1]
                        + "\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n"
                        + head
                        + "\"choices\":[{\"index\":0,\"delta\":{\"content\":\" " + words[2]
                        + "\"},\"logprobs\":null,\"finish_reason\":\"length\",\"stop_reason\":null}],\"system_fingerprint\":\"vllm-0.27.0-sim\"}\n\n"
                        + head
                        + "\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"total_tokens\":6,\"completion_tokens\":3}}\n\n"
                        + "data: [DONE]\n\n");
    }

    @Test
    void a_completions_stream_has_exactly_this_framing() throws Exception {
        HttpResponse<String> response = running.post(
                "/v1/completions",
                "{\"prompt\":\"hello, engine\",\"max_tokens\":2,\"stream\":true}",
                "X-Request-Id",
                "r-2");

        String head =
                "data: {\"id\":\"cmpl-r-2\",\"object\":\"text_completion\",\"created\":7,\"model\":\"sim/llama-3-8b\",";
        String[] words = running.fleetText(2);
        assertThat(steady(response.body()))
                .isEqualTo(head + "\"choices\":[{\"index\":0,\"text\":\"" + words[0]
                        + "\",\"logprobs\":null,\"finish_reason\":null}]}\n\n"
                        + head
                        + "\"choices\":[{\"index\":0,\"text\":\" " + words[1]
                        + "\",\"logprobs\":null,\"finish_reason\":\"length\",\"stop_reason\":null}],\"system_fingerprint\":\"vllm-0.27.0-sim\"}\n\n"
                        + "data: [DONE]\n\n");
    }

    @Test
    void a_whole_answer_has_the_text_of_the_stream() throws Exception {
        JsonNode answer = JSON.readTree(running.post(CHAT, RunningFleet.chat(40, ""), "X-Request-Id", "r-3")
                .body());

        assertThat(answer.path("id").asText()).isEqualTo("chatcmpl-r-3");
        assertThat(answer.path("object").asText()).isEqualTo("chat.completion");
        JsonNode choice = answer.path("choices").path(0);
        assertThat(choice.path("message").path("content").asText()).isEqualTo(String.join(" ", running.fleetText(40)));
        assertThat(choice.path("finish_reason").asText()).isEqualTo("length");
        assertThat(answer.path("usage").path("completion_tokens").asInt()).isEqualTo(40);
        assertThat(answer.path("usage").path("total_tokens").asInt()).isEqualTo(43);
    }

    @Test
    void without_max_tokens_it_is_32_and_max_completion_tokens_wins() throws Exception {
        String absent =
                running.post(CHAT, "{\"messages\":" + RunningFleet.HELLO + "}").body();
        String both = running.post(CHAT, RunningFleet.chat(3, ",\"max_completion_tokens\":5"))
                .body();

        assertThat(JSON.readTree(absent).path("usage").path("completion_tokens").asInt())
                .isEqualTo(32);
        assertThat(JSON.readTree(both).path("usage").path("completion_tokens").asInt())
                .isEqualTo(5);
    }

    @Test
    void a_list_of_prompts_and_n_make_as_many_choices() throws Exception {
        String body = "{\"prompt\":[\"one\",\"two\",\"three\"],\"n\":2,\"max_tokens\":4}";

        JsonNode answer = JSON.readTree(running.post("/v1/completions", body).body());

        assertThat(answer.path("choices")).hasSize(6);
        assertThat(answer.path("choices").path(5).path("index").asInt()).isEqualTo(5);
        assertThat(answer.path("usage").path("completion_tokens").asInt()).isEqualTo(24);
    }

    @Test
    void an_answer_without_a_request_id_gets_one() throws Exception {
        JsonNode answer =
                JSON.readTree(running.post(CHAT, RunningFleet.chat(1, "")).body());

        assertThat(answer.path("id").asText()).matches("chatcmpl-[0-9a-f]{32}");
    }

    @Test
    void embeddings_are_the_same_as_numbers_and_as_base64() throws Exception {
        JsonNode numbers = JSON.readTree(running.post("/v1/embeddings", "{\"input\":[\"a\",\"b\"],\"dimensions\":8}")
                .body());
        JsonNode base64 = JSON.readTree(
                running.post("/v1/embeddings", "{\"input\":\"b\",\"dimensions\":8,\"encoding_format\":\"base64\"}")
                        .body());

        assertThat(numbers.path("data")).hasSize(2);
        JsonNode second = numbers.path("data").path(1).path("embedding");
        byte[] bytes = Base64.getDecoder()
                .decode(base64.path("data").path(0).path("embedding").asText());
        ByteBuffer floats = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        double squares = 0;
        for (int i = 0; i < 8; i++) {
            float value = floats.getFloat();
            assertThat((float) second.path(i).asDouble()).isEqualTo(value);
            squares += value * value;
        }
        assertThat(squares).isCloseTo(1, within(1e-5));
        assertThat(numbers.path("usage").path("prompt_tokens").asInt()).isEqualTo(2);
    }

    @Test
    void the_models_page_tells_the_context_length() throws Exception {
        JsonNode model =
                JSON.readTree(running.get("/v1/models").body()).path("data").path(0);

        assertThat(model.path("id").asText()).isEqualTo("sim/llama-3-8b");
        assertThat(model.path("owned_by").asText()).isEqualTo("vllm");
        assertThat(model.path("max_model_len").asInt()).isEqualTo(32_768);
    }

    @Test
    void health_and_ping_are_200_and_empty() throws Exception {
        assertThat(running.get("/health").statusCode()).isEqualTo(200);
        assertThat(running.get("/health").body()).isEmpty();
        assertThat(running.get("/ping").statusCode()).isEqualTo(200);
        assertThat(running.post("/ping", "").statusCode()).isEqualTo(200);
        assertThat(running.get("/version").body()).isEqualTo("{\"version\":\"0.27.0\"}");
    }

    @Test
    void an_unknown_model_is_404_in_the_envelope() throws Exception {
        HttpResponse<String> response =
                running.post(CHAT, "{\"model\":\"gpt\",\"messages\":" + RunningFleet.HELLO + "}");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).contains("application/json");
        assertThat(response.body())
                .isEqualTo("{\"error\":{\"message\":\"The model `gpt` does not exist.\",\"type\":\"NotFoundError\","
                        + "\"param\":\"model\",\"code\":404}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "/v1/chat/completions|{oops|Bad Request|JSON decode error",
                "/v1/chat/completions|[]|Bad Request|Input should be a valid dictionary",
                "/v1/chat/completions|{}|Bad Request|Field required",
                "/v1/chat/completions|{\"messages\":\"hi\"}|Bad Request|Input should be a valid list",
                "/v1/completions|{\"prompt\":\"p\",\"stream_options\":{}}|Bad Request|Stream options can only be"
                        + " defined",
                "/v1/completions|{\"prompt\":\"p\",\"max_tokens\":0}|BadRequestError|max_tokens must be at least 1",
                "/v1/completions|{\"prompt\":\"p\",\"max_tokens\":32768}|BadRequestError|maximum context length is"
                        + " 32768",
                "/v1/completions|{\"prompt\":\"p\",\"n\":0}|BadRequestError|n must be from 1",
                "/v1/embeddings|{\"input\":[]}|Bad Request|Field required",
            })
    void a_bad_body_is_400_in_the_envelope(String path, String body, String type, String message) throws Exception {
        HttpResponse<String> response = running.post(path, body);

        assertThat(response.statusCode()).isEqualTo(400);
        JsonNode error = JSON.readTree(response.body()).path("error");
        assertThat(error.path("type").asText()).isEqualTo(type);
        assertThat(error.path("message").asText()).contains(message);
        assertThat(error.path("code").asInt()).isEqualTo(400);
        assertThat(error.has("param")).isTrue();
    }

    @Test
    void a_prompt_longer_than_the_context_is_400() throws Exception {
        String prompt = "x".repeat(4 * 32_768);

        assertThat(running.post("/v1/completions", "{\"prompt\":\"" + prompt + "\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(running.post("/v1/embeddings", "{\"input\":\"" + prompt + "xxxx\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void another_content_type_is_400() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(running.posting(CHAT, RunningFleet.chat(1, "")), (n, v) -> false)
                .header("content-type", "text/plain")
                .build();

        HttpResponse<String> response = running.client.send(request, BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("Only 'application/json' is allowed");
    }

    @Test
    void unknown_paths_are_404_and_wrong_methods_405() throws Exception {
        assertThat(running.get("/v1/nope").statusCode()).isEqualTo(404);
        assertThat(running.get(CHAT).statusCode()).isEqualTo(405);
        assertThat(running.post("/health", "").statusCode()).isEqualTo(405);
        assertThat(running.get("/v1/nope").body())
                .isEqualTo(
                        "{\"error\":{\"message\":\"Not Found\",\"type\":\"Not Found\",\"param\":null,\"code\":404}}");
    }

    @Test
    void only_the_path_with_the_slash_filters_by_name() throws Exception {
        HttpResponse<String> filtered =
                running.get("/metrics/?name%5B%5D=vllm:num_requests_running&name%5B%5D=vllm:kv_cache_usage_perc");
        HttpResponse<String> full = running.get("/metrics?name%5B%5D=vllm:num_requests_running");

        assertThat(filtered.body().lines()).hasSize(6);
        assertThat(filtered.headers().firstValue("content-type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(full.body().lines().count()).isGreaterThan(400);
        assertThat(full.headers().firstValue("content-type")).contains("text/plain; version=1.0.0; charset=utf-8");
        assertThat(running.get("/metrics/").body().lines().count()).isGreaterThan(400);
    }

    @Test
    void multi_process_mode_answers_a_filter_with_an_empty_page() throws Exception {
        try (RunningFleet multi = new RunningFleet(
                EngineFleetOptions.defaults().withNameFilter(false).withDialect(MetricDialect.OLD))) {
            HttpResponse<String> filtered = multi.get("/metrics/?name%5B%5D=vllm:num_requests_running");

            assertThat(filtered.statusCode()).isEqualTo(200);
            assertThat(filtered.body()).isEmpty();
            assertThat(multi.get("/metrics").body()).contains("vllm:gpu_cache_usage_perc{");
        }
    }

    @Test
    void counters_add_up_over_http() throws Exception {
        double before = running.metric("vllm:generation_tokens_total");

        running.post(CHAT, RunningFleet.chat(17, ",\"stream\":true"));

        assertThat(running.metric("vllm:generation_tokens_total") - before).isEqualTo(17);
    }

    @Test
    void thirty_two_tokens_of_the_fast_profile_take_less_than_100_ms() throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long start = System.nanoTime();
            running.post(CHAT, RunningFleet.chat(32, ",\"stream\":true"));
            best = Math.min(best, System.nanoTime() - start);
        }

        // The best of five, since the machine may be busy.
        assertThat(best / 1e6).isBetween(50.0, 100.0);
    }
}
