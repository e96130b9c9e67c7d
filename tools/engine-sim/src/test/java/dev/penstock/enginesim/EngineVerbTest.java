package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.enginesim.fault.Fault;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs of {@link Fault}, each on a vLLM engine as a client sees it. */
class EngineVerbTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String STREAM = ",\"stream\":true";
    private static final Duration SOON = Duration.ofSeconds(5);

    private RunningFleet running;

    @BeforeEach
    void start() {
        running = RunningFleet.ofOne();
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private void fault(String verb, String... args) {
        running.fault(Fault.parse(verb, List.of(args)));
    }

    private CompletableFuture<HttpResponse<String>> getLater(String path) {
        return running.client.sendAsync(
                HttpRequest.newBuilder(URI.create(running.engine.endpoint() + path))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> stream(int tokens) throws Exception {
        return running.post(CHAT, RunningFleet.chat(tokens, STREAM));
    }

    private void connect() throws Exception {
        new Socket("127.0.0.1", running.engine.port()).close();
    }

    // ---- the process and its port

    @Test
    void kill_resets_streams_and_clearing_starts_a_process_that_has_counted_nothing() throws Exception {
        running.post(CHAT, RunningFleet.chat(5, ""));
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(30_000, STREAM))) {
            raw.readThrough("assistant");

            fault("kill");

            assertThatThrownBy(() -> raw.readThrough("[DONE]")).isInstanceOf(SocketException.class);
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        }
        RunningFleet.awaitUntil(
                "the request is lost", SOON, () -> running.engine.state().inflight() == 0);
        running.clearFault();
        assertThat(running.metric("vllm:generation_tokens_total")).isZero();
        assertThat(stream(1).statusCode()).isEqualTo(200);
    }

    @Test
    void sigterm_aborts_what_runs_and_closes_the_port() throws Exception {
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(30_000, STREAM))) {
            raw.readThrough("assistant");

            fault("sigterm");

            assertThat(raw.readToEnd()).contains("\"finish_reason\":\"abort\"").contains("[DONE]");
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        }
        running.clearFault();
        assertThat(stream(1).body()).contains("\"finish_reason\":\"length\"");
    }

    @Test
    void a_drain_finishes_what_runs_aborts_what_comes_and_exits_when_empty() throws Exception {
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(400, STREAM))) {
            raw.readThrough("assistant");
            fault("drain");

            assertThat(running.get("/health").statusCode()).isEqualTo(200);
            assertThat(stream(3).body())
                    .contains("\"delta\":{\"content\":\"\"},\"logprobs\":null,\"finish_reason\":\"abort\"");
            assertThat(raw.readToEnd()).contains("\"finish_reason\":\"length\"");
        }
        RunningFleet.awaitUntil("it exits", SOON, () -> !Ports.taken("127.0.0.1", running.engine.port()));
    }

    @Test
    void a_dead_engine_fails_everything_and_exits_after_its_time() throws Exception {
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(30_000, STREAM))) {
            raw.readThrough("assistant");

            fault("dead", "300ms");

            assertThat(raw.readThrough("[DONE]")).contains("data: {\"error\":{\"message\":\"EngineCore encountered");
            assertThat(running.get("/health").statusCode()).isEqualTo(503);
            assertThat(stream(1).statusCode()).isEqualTo(500);
            assertThat(running.get("/v1/models").statusCode()).isEqualTo(200);
        }
        RunningFleet.awaitUntil("it exits", SOON, () -> !Ports.taken("127.0.0.1", running.engine.port()));
        running.clearFault();
        assertThat(stream(1).body()).contains("\"finish_reason\":\"length\"");
    }

    @Test
    void a_starting_engine_refuses_connections() throws Exception {
        fault("starting");

        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        running.clearFault();
        assertThat(stream(1).statusCode()).isEqualTo(200);
    }

    @Test
    void hang_answers_nothing_not_even_health_until_it_is_cleared() throws Exception {
        fault("hang");
        List<CompletableFuture<HttpResponse<String>>> asked = List.of(
                getLater("/health"),
                getLater("/metrics"),
                getLater("/v1/models"),
                running.client.sendAsync(running.posting(CHAT, RunningFleet.chat(1, STREAM)), BodyHandlers.ofString()));
        RunningFleet.awaitUntil(
                "the request is there", SOON, () -> running.engine.state().inflight() == 1);
        running.get("/sim/state");

        assertThat(asked).noneMatch(CompletableFuture::isDone);
        running.clearFault();
        for (CompletableFuture<HttpResponse<String>> answer : asked) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void hang_requests_leaves_health_and_gauges_as_if_nothing_were_there() throws Exception {
        fault("hang-requests");
        CompletableFuture<HttpResponse<String>> asked =
                running.client.sendAsync(running.posting(CHAT, RunningFleet.chat(1, "")), BodyHandlers.ofString());
        RunningFleet.awaitUntil(
                "the request is there", SOON, () -> running.engine.state().inflight() == 1);

        assertThat(running.get("/health").statusCode()).isEqualTo(200);
        assertThat(running.metric("vllm:num_requests_running")).isZero();
        assertThat(running.metric("vllm:num_requests_waiting")).isZero();
        assertThat(asked.isDone()).isFalse();
        running.clearFault();
        assertThat(asked.get().statusCode()).isEqualTo(200);
    }

    @Test
    void reset_reused_resets_the_second_request_of_a_connection() throws Exception {
        fault("reset-reused");

        try (Socket socket = new Socket("127.0.0.1", running.engine.port())) {
            byte[] get = "GET /health HTTP/1.1\r\nhost: e\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            byte[] answer = new byte[4096];
            socket.getOutputStream().write(get);
            assertThat(socket.getInputStream().read(answer)).isPositive();
            socket.getOutputStream().write(get);

            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    // ---- answers

    @Test
    void error_can_hit_a_share_of_requests() throws Exception {
        fault("error", "500", "20%");
        int failed = 0;
        for (int i = 0; i < 200; i++) {
            failed += running.post(CHAT, RunningFleet.chat(1, "")).statusCode() == 500 ? 1 : 0;
        }

        // 40 +- 3.5 standard deviations; the draw has a seed.
        assertThat(failed).isBetween(20, 60);
        assertThat(running.get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    void a_full_queue_a_scaling_engine_and_a_missing_key_have_their_bodies() throws Exception {
        fault("queue-full");
        HttpResponse<String> full = stream(1);
        assertThat(full.statusCode()).isEqualTo(503);
        assertThat(full.body()).contains("\"message\":\"The request queue is full.\"");

        fault("scaling");
        HttpResponse<String> scaling = stream(1);
        assertThat(scaling.statusCode()).isEqualTo(503);
        assertThat(scaling.body()).startsWith("{\"error\":\"The model is currently scaling");

        fault("error", "401");
        assertThat(stream(1).body()).isEqualTo("{\"error\":\"Unauthorized\"}");
    }

    @Test
    void strict_ids_refuse_an_id_that_was_used() throws Exception {
        fault("strict-ids");

        assertThat(running.post(CHAT, RunningFleet.chat(1, ""), "X-Request-Id", "a")
                        .statusCode())
                .isEqualTo(200);
        assertThat(running.post(CHAT, RunningFleet.chat(1, ""), "X-Request-Id", "a")
                        .statusCode())
                .isEqualTo(500);
        assertThat(running.post(CHAT, RunningFleet.chat(1, ""), "X-Request-Id", "b")
                        .statusCode())
                .isEqualTo(200);
    }

    // ---- streams

    @Test
    void truncate_can_cut_a_share_of_streams() throws Exception {
        fault("truncate", "3", "20%");
        for (int i = 0; i < 200; i++) {
            try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(5, STREAM))) {
                String got = raw.readThroughOrEnd("0\r\n\r\n");
                assertThat(got.split("\"delta\":\\{\"content\"", -1)).hasSizeBetween(4, 6);
            }
        }

        assertThat(running.engine.state().requests().cut()).isBetween(20L, 60L);
        assertThat(running.engine.state().requests().completed())
                .isEqualTo(200 - running.engine.state().requests().cut());
    }

    @Test
    void truncate_can_reset_the_connection() throws Exception {
        fault("truncate", "2", "rst");

        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(100, STREAM))) {
            assertThatThrownBy(() -> raw.readThrough("[DONE]")).isInstanceOf(SocketException.class);
        }
        assertThat(running.engine.state().requests().cut()).isEqualTo(1);
    }

    @Test
    void truncate_can_end_the_body_as_if_all_were_well() throws Exception {
        fault("truncate", "2", "clean");

        String got = stream(100).body();

        assertThat(got.split("\"delta\":\\{\"content\"", -1)).hasSize(3);
        assertThat(got).doesNotContain("[DONE]").doesNotContain("\"finish_reason\":\"");
    }

    @Test
    void stream_error_comes_with_200_after_so_many_tokens() throws Exception {
        fault("stream-error", "2");
        HttpResponse<String> late = stream(100);
        assertThat(late.statusCode()).isEqualTo(200);
        assertThat(late.body().split("\"delta\":\\{\"content\"", -1)).hasSize(3);
        assertThat(late.body()).contains("data: {\"error\":{").endsWith("data: [DONE]\n\n");

        fault("stream-error", "0");
        assertThat(stream(100).body()).startsWith("data: {\"error\":{");
        assertThat(running.engine.state().running()).isZero();
    }

    @Test
    void drop_finish_leaves_the_last_reason_null() throws Exception {
        fault("drop-finish");

        assertThat(stream(2).body())
                .contains("\"finish_reason\":null,\"stop_reason\":null")
                .endsWith("data: [DONE]\n\n");
    }

    @Test
    void duplicate_sends_every_event_twice() throws Exception {
        fault("duplicate");

        assertThat(stream(3).body().split("\"delta\":\\{\"content\"", -1)).hasSize(7);
    }

    @Test
    void slow_loris_sends_the_same_bytes_in_small_pieces() throws Exception {
        String whole = steady(stream(3).body());
        fault("slow-loris", "40", "2ms");
        long start = System.nanoTime();

        String slow = steady(stream(3).body());

        assertThat(slow).isEqualTo(whole);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(2 * 15));
        assertThat(running.engine.state().inflight()).isZero();
    }

    private static String steady(String stream) {
        return stream.replaceAll("\"created\":\\d+", "").replaceAll("chatcmpl-[0-9a-f]+", "");
    }

    // ---- the scheduler

    @Test
    void overload_slows_steps_and_health() throws Exception {
        fault("overload", "20", "80ms");
        long start = System.nanoTime();
        assertThat(running.get("/health").statusCode()).isEqualTo(200);
        assertThat(System.nanoTime() - start).isGreaterThan(80_000_000);

        start = System.nanoTime();
        running.post(CHAT, RunningFleet.chat(5, ""));
        assertThat((System.nanoTime() - start) / 1e6).isGreaterThan(5 * 20 * 1.9 * 0.8);
    }

    @Test
    void a_sleeping_engine_says_so_and_keeps_requests_waiting() throws Exception {
        fault("sleep", "2");
        CompletableFuture<HttpResponse<String>> asked =
                running.client.sendAsync(running.posting(CHAT, RunningFleet.chat(1, "")), BodyHandlers.ofString());
        RunningFleet.awaitUntil(
                "it is queued", SOON, () -> running.engine.state().waiting() == 1);

        assertThat(running.get("/metrics").body())
                .containsPattern("engine_sleep_state\\{[^}]*sleep_state=\"awake\"} 0\\.0")
                .containsPattern("engine_sleep_state\\{[^}]*sleep_state=\"discard_all\"} 1\\.0");
        running.clearFault();
        assertThat(asked.get().statusCode()).isEqualTo(200);
    }

    @Test
    void a_shrunken_cache_and_a_storm_preempt() throws Exception {
        // 1 % of 16,384 blocks are 2,624 tokens, for four requests of up to 2,003.
        fault("kv-shrink", "1%");
        List<CompletableFuture<HttpResponse<String>>> asked = java.util.stream.Stream.generate(
                        () -> running.client.sendAsync(
                                running.posting(CHAT, RunningFleet.chat(1000, "")), BodyHandlers.ofString()))
                .limit(4)
                .toList();
        RunningFleet.awaitUntil("it preempts", Duration.ofSeconds(20), () -> metric("vllm:num_preemptions_total") > 0);
        fault("preempt-storm");
        double before = metric("vllm:num_preemptions_total");
        RunningFleet.awaitUntil("the storm preempts", SOON, () -> metric("vllm:num_preemptions_total") > before + 10);
        running.clearFault();
        for (CompletableFuture<HttpResponse<String>> answer : asked) {
            assertThat(answer.get().body()).contains("\"completion_tokens\":1000");
        }
    }

    private double metric(String name) {
        try {
            return running.metric(name);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void zombies_run_to_their_end_without_a_client() throws Exception {
        fault("zombies");
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(200, STREAM))) {
            raw.readThrough("assistant");
        }
        RunningFleet.awaitUntil(
                "the request is gone", SOON, () -> running.engine.state().inflight() == 0);

        assertThat(running.engine.state().running()).isEqualTo(1);
        RunningFleet.awaitUntil("it ran to its end", SOON, () -> metric("vllm:generation_tokens_total") == 200);
    }

    // ---- health and metrics

    @Test
    void health_can_hang_be_slow_or_fail_while_generation_works() throws Exception {
        fault("hang-health");
        CompletableFuture<HttpResponse<String>> health = getLater("/health");
        assertThat(stream(1).statusCode()).isEqualTo(200);
        assertThat(health.isDone()).isFalse();

        fault("health", "500");
        assertThat(health.get().statusCode()).isEqualTo(200);
        assertThat(running.get("/health").statusCode()).isEqualTo(500);
        assertThat(stream(1).statusCode()).isEqualTo(200);

        fault("slow-health", "70ms");
        long start = System.nanoTime();
        assertThat(running.get("/health").statusCode()).isEqualTo(200);
        assertThat(System.nanoTime() - start).isGreaterThan(70_000_000);
    }

    @Test
    void metrics_can_hang_be_slow_or_fail_while_generation_works() throws Exception {
        fault("hang-metrics");
        CompletableFuture<HttpResponse<String>> page = getLater("/metrics");
        assertThat(stream(1).statusCode()).isEqualTo(200);
        assertThat(page.isDone()).isFalse();

        fault("metrics-error");
        assertThat(page.get().statusCode()).isEqualTo(200);
        assertThat(running.get("/metrics").statusCode()).isEqualTo(500);

        fault("slow-metrics", "70ms");
        long start = System.nanoTime();
        assertThat(running.get("/metrics").statusCode()).isEqualTo(200);
        assertThat(System.nanoTime() - start).isGreaterThan(70_000_000);
    }

    @Test
    void the_page_can_have_nan_pids_or_old_names() throws Exception {
        String name = "/metrics/?name%5B%5D=vllm:num_requests_running";
        fault("nan-metrics");
        assertThat(running.get(name).body()).endsWith("} NaN\n");
        assertThat(running.metric("vllm:generation_tokens_total")).isZero();

        fault("pid-metrics");
        assertThat(running.get(name).body())
                .contains("model_name=\"sim/llama-3-8b\",pid=\"101\"} 0.0\n")
                .contains("model_name=\"sim/llama-3-8b\",pid=\"102\"} 0.0\n");

        fault("old-metrics");
        assertThat(running.get("/metrics").body())
                .contains("vllm:gpu_cache_usage_perc")
                .doesNotContain("kv_cache_usage_perc");
    }

    @Test
    void freeze_gauges_leaves_an_idle_engine_looking_busy() throws Exception {
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(30_000, STREAM))) {
            raw.readThrough("assistant");
            fault("freeze-gauges");
        }
        RunningFleet.awaitUntil(
                "the request is gone", SOON, () -> running.engine.state().running() == 0);

        assertThat(running.metric("vllm:num_requests_running")).isEqualTo(1);
        double tokens = running.metric("vllm:generation_tokens_total");
        stream(3);
        assertThat(running.metric("vllm:generation_tokens_total")).isEqualTo(tokens + 3);
    }

    @Test
    void reset_counters_starts_them_again_from_0() throws Exception {
        stream(5);
        assertThat(running.metric("vllm:generation_tokens_total")).isEqualTo(5);

        fault("reset-counters");

        assertThat(running.metric("vllm:generation_tokens_total")).isZero();
        assertThat(running.get("/metrics").body())
                .doesNotContain("http_requests_total{handler=\"" + CHAT + "\",method=\"POST\",status=\"2xx\"} 1.0");
        stream(2);
        assertThat(running.metric("vllm:generation_tokens_total")).isEqualTo(2);
    }

    @Test
    void clock_skew_shows_where_the_engine_tells_the_time() throws Exception {
        fault("clock-skew", "-100m");

        String body = stream(1).body();

        long created = Long.parseLong(body.replaceAll("(?s).*?\"created\":(\\d+).*", "$1"));
        assertThat(System.currentTimeMillis() / 1000 - created).isBetween(6_000L, 6_010L);
    }
}
