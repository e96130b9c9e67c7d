package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.fault.Fault;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SglangApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHAT = "/v1/chat/completions";
    private static final String STREAM = ",\"stream\":true";

    private RunningFleet running;

    @BeforeEach
    void start() {
        running = new RunningFleet(EngineFleetOptions.defaults().withKind(EngineKind.SGLANG));
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private static String steady(String stream) {
        return stream.replaceAll("\"created\":\\d+", "\"created\":0");
    }

    private JsonNode loads() throws Exception {
        return JSON.readTree(running.get("/v1/loads?include=core").body());
    }

    @Test
    void a_chat_stream_prints_every_field_and_finishes_in_a_chunk_of_its_own() throws Exception {
        String[] words = running.fleetText(2);

        HttpResponse<String> response = running.post(
                CHAT, RunningFleet.chat(2, STREAM + ",\"rid\":\"r-1\",\"stream_options\":{\"include_usage\":true}"));

        String head = "data: {\"id\":\"r-1\",\"object\":\"chat.completion.chunk\",\"created\":0,"
                + "\"model\":\"sim/llama-3-8b\",\"choices\":[";
        String choice = "{\"index\":0,\"delta\":{\"role\":%s,\"content\":%s,\"reasoning_content\":null,"
                + "\"tool_calls\":null},\"logprobs\":null,\"finish_reason\":%s,\"matched_stop\":null}],"
                + "\"usage\":null}\n\n";
        assertThat(response.headers().firstValue("content-type")).contains("text/event-stream; charset=utf-8");
        assertThat(steady(response.body()))
                .isEqualTo(head + choice.formatted("\"assistant\"", "\"\"", "null")
                        + head + choice.formatted("null", "\"" + words[0] + "\"", "null")
                        + head + choice.formatted("null", "\" " + words[1] + "\"", "null")
                        + head + choice.formatted("null", "null", "\"length\"")
                        + head + "],\"usage\":{\"prompt_tokens\":3,\"total_tokens\":5,\"completion_tokens\":2,"
                        + "\"prompt_tokens_details\":null,\"reasoning_tokens\":0}}\n\n"
                        + "data: [DONE]\n\n");
    }

    @Test
    void a_completion_stream_has_text_and_its_finish_reason_with_the_last() throws Exception {
        String stream = steady(running.post(
                        "/v1/completions",
                        "{\"prompt\":\"hello, engine\",\"max_tokens\":1,\"stream\":true,\"rid\":\"c\"}")
                .body());

        assertThat(stream)
                .isEqualTo("data: {\"id\":\"c\",\"object\":\"text_completion\",\"created\":0,"
                        + "\"model\":\"sim/llama-3-8b\",\"choices\":[{\"index\":0,\"text\":\""
                        + running.fleetText(1)[0]
                        + "\",\"logprobs\":null,\"finish_reason\":\"length\",\"matched_stop\":null}],"
                        + "\"usage\":null}\n\ndata: [DONE]\n\n");
    }

    @Test
    void errors_are_flat() throws Exception {
        HttpResponse<String> unknown = running.post(CHAT, "{\"model\":\"nope\",\"messages\":[]}".replace("[]", "[{}]"));

        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body())
                .isEqualTo("{\"object\":\"error\",\"message\":\"The model 'nope' does not exist\","
                        + "\"type\":\"NotFoundError\",\"param\":\"model\",\"code\":404}");
        running.fault(new Fault.ErrorStatus(503));
        assertThat(running.post(CHAT, RunningFleet.chat(1, "")).body())
                .isEqualTo("{\"object\":\"error\",\"message\":\"Injected fault.\",\"type\":\"503\",\"param\":null,"
                        + "\"code\":503}");
    }

    @Test
    void a_stream_starts_with_its_first_token() throws Exception {
        running.fault(new Fault.Stall());

        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(1, STREAM))) {
            assertThat(raw.silentFor(100)).isTrue();
            running.clearFault();
            assertThat(raw.readThrough("0\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 OK")
                    .contains("[DONE]");
        }
    }

    @Test
    void a_full_queue_is_503_or_in_a_stream_an_error_line_with_200() throws Exception {
        running.fault(new Fault.QueueFull(false));

        HttpResponse<String> whole = running.post(CHAT, RunningFleet.chat(1, ""));
        HttpResponse<String> stream = running.post(CHAT, RunningFleet.chat(1, STREAM));

        assertThat(whole.statusCode()).isEqualTo(503);
        assertThat(whole.body()).contains("\"message\":\"The request queue is full.\",\"type\":\"503\"");
        assertThat(stream.statusCode()).isEqualTo(200);
        assertThat(stream.body())
                .isEqualTo("data: {\"error\":{\"object\":\"error\",\"message\":\"The request queue is full.\","
                        + "\"type\":\"SERVICE_UNAVAILABLE\",\"param\":null,\"code\":503}}\n\ndata: [DONE]\n\n");
        running.fault(new Fault.QueueFull(true));
        assertThat(running.post(CHAT, RunningFleet.chat(1, STREAM)).body())
                .contains("\"finish_reason\":\"abort\"")
                .doesNotContain("\"error\"");
    }

    @Test
    void health_takes_a_second_and_is_503_at_once_when_terminating() throws Exception {
        long start = System.nanoTime();
        assertThat(running.get("/health").statusCode()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(20_000, STREAM))) {
            raw.readThrough("assistant");
            running.fault(new Fault.Sigterm(0));

            assertThat(running.get("/health_generate").statusCode()).isEqualTo(503);
            assertThat(running.post(CHAT, RunningFleet.chat(2, STREAM)).body())
                    .contains("\"finish_reason\":\"length\"");
            assertThat(running.engine.state().inflight()).isEqualTo(1);
        }
        RunningFleet.awaitUntil(
                "an empty engine exits",
                Duration.ofSeconds(5),
                () -> Ports.taken("127.0.0.1", running.engine.port()) == false);
    }

    @Test
    void while_starting_the_port_is_open_health_fails_and_requests_wait() throws Exception {
        running.fault(new Fault.Starting());

        assertThat(running.get("/health").statusCode()).isEqualTo(503);
        assertThat(running.get("/v1/models").statusCode()).isEqualTo(200);
        CompletableFuture<HttpResponse<String>> waiting = running.client.sendAsync(
                running.posting(CHAT, RunningFleet.chat(1, "")), HttpResponse.BodyHandlers.ofString());
        RunningFleet.awaitUntil(
                "the request is queued",
                Duration.ofSeconds(5),
                () -> running.engine.state().waiting() == 1);
        running.clearFault();
        assertThat(waiting.get().statusCode()).isEqualTo(200);
    }

    @Test
    void an_orphaned_parent_says_healthy_without_its_scheduler() throws Exception {
        running.fault(new Fault.Orphan());

        assertThat(running.get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    void loads_are_fresh_and_metrics_are_not() throws Exception {
        assertThat(loads().path("aggregate").path("total_reqs").asInt()).isZero();
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(30_000, STREAM))) {
            raw.readThrough("assistant");

            JsonNode busy = loads();

            assertThat(busy.path("dp_rank_count").asInt()).isEqualTo(1);
            assertThat(Instant.parse(busy.path("timestamp").asText())).isNotNull();
            JsonNode rank = busy.path("loads").path(0);
            assertThat(rank.path("num_running_reqs").asInt()).isEqualTo(1);
            assertThat(rank.path("num_total_reqs").asInt()).isEqualTo(1);
            assertThat(rank.path("max_running_requests").asInt()).isEqualTo(256);
            assertThat(rank.path("max_total_num_tokens").asInt()).isEqualTo(16_384 * 16);
            assertThat(rank.path("num_used_tokens").asInt()).isPositive();
            assertThat(running.get("/v1/loads?format=prometheus").body())
                    .contains("\nsglang_num_running_reqs{dp_rank=\"0\"} 1.0\n");
        }
        RunningFleet.awaitUntil(
                "the request is dropped two seconds after its client went",
                Duration.ofSeconds(5),
                () -> running.engine.state().running() == 0);
        assertThat(loads().path("aggregate").path("total_running_reqs").asInt()).isZero();
        assertThat(running.get("/metrics").body())
                .containsPattern("sglang:num_running_reqs\\{[^}]*model_name=\"sim/llama-3-8b\"[^}]*} 1\\.0\n");
    }

    @Test
    void loads_hang_with_the_scheduler() throws Exception {
        running.fault(new Fault.Stall());
        CompletableFuture<HttpResponse<String>> asked = running.client.sendAsync(
                java.net.http.HttpRequest.newBuilder(java.net.URI.create(running.engine.endpoint() + "/v1/loads"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        running.get("/v1/models");

        assertThat(asked.isDone()).isFalse();
        running.clearFault();
        assertThat(asked.get().statusCode()).isEqualTo(200);
    }

    @Test
    void a_filter_finds_nothing_on_the_metrics_page() throws Exception {
        HttpResponse<String> filtered = running.get("/metrics?name%5B%5D=sglang:num_running_reqs");

        assertThat(filtered.statusCode()).isEqualTo(200);
        assertThat(filtered.body()).isEmpty();
        assertThat(running.get("/metrics").body())
                .contains("sglang:num_queue_reqs")
                .doesNotContain("process_");
    }

    @Test
    void without_enable_metrics_there_is_no_page() throws Exception {
        try (RunningFleet off = new RunningFleet(
                EngineFleetOptions.defaults().withKind(EngineKind.SGLANG).withSglangMetrics(false))) {
            assertThat(off.get("/metrics").statusCode()).isEqualTo(404);
            assertThat(off.get("/v1/loads").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void abort_request_ends_what_runs_under_a_rid() throws Exception {
        try (RawStream raw =
                new RawStream(running.engine, CHAT, RunningFleet.chat(30_000, STREAM + ",\"rid\":\"mine\""))) {
            raw.readThrough("assistant");

            assertThat(running.post("/abort_request", "{\"rid\":\"other\"}").statusCode())
                    .isEqualTo(200);
            assertThat(running.engine.state().running()).isEqualTo(1);
            running.post("/abort_request", "{\"rid\":\"mine\"}");

            assertThat(raw.readThrough("0\r\n\r\n")).contains("\"finish_reason\":\"abort\"");
            assertThat(running.engine.state().running()).isZero();
        }
    }

    @Test
    void info_and_models_name_what_they_should() throws Exception {
        for (String path : new String[] {"/server_info", "/get_server_info"}) {
            JsonNode info = JSON.readTree(running.get(path).body());
            assertThat(info.path("page_size").asInt()).isEqualTo(16);
            assertThat(info.path("version").asText()).isEqualTo("0.5.23");
            assertThat(info.path("internal_states").size()).isEqualTo(1);
        }
        for (String path : new String[] {"/model_info", "/get_model_info"}) {
            assertThat(JSON.readTree(running.get(path).body())
                            .path("is_generation")
                            .asBoolean())
                    .isTrue();
        }
        assertThat(running.get("/v1/models").body()).contains("\"owned_by\":\"sglang\"");
        assertThat(running.get("/ping").statusCode()).isEqualTo(404);
        assertThat(running.post("/v1/models", "{}").statusCode()).isEqualTo(405);
    }

    @Test
    void cached_tokens_are_told_when_asked_for_and_flushed_on_demand() throws Exception {
        String body = "{\"prompt\":\"" + "0123456789abcdef".repeat(16) + "\",\"max_tokens\":1}";
        try (RunningFleet told = new RunningFleet(
                EngineFleetOptions.defaults().withKind(EngineKind.SGLANG).withPromptDetails(true))) {
            assertThat(told.post("/v1/completions", body).body()).contains("\"prompt_tokens_details\":null");
            assertThat(told.post("/v1/completions", body).body())
                    .contains("\"prompt_tokens_details\":{\"cached_tokens\":48}");
            told.post("/flush_cache", "");
            assertThat(told.post("/v1/completions", body).body()).contains("\"prompt_tokens_details\":null");
        }
    }
}
