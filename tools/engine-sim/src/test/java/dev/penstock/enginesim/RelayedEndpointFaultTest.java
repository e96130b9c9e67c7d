package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.fault.Fault;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults on the APIs with framing of their own, aborts by id, and digests of what was sent. */
class RelayedEndpointFaultTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private RunningFleet running;

    @AfterEach
    void stop() {
        running.close();
    }

    private static String path(String api) {
        return "/v1/" + api;
    }

    private static String body(String api, int tokens, String more) {
        return api.equals("responses")
                ? "{\"input\":\"hello\",\"max_output_tokens\":" + tokens + more + "}"
                : RunningFleet.chat(tokens, more);
    }

    private String stream(String api, String verb, String... args) throws Exception {
        running.fault(Fault.parse(verb, List.of(args)));
        return running.post(path(api), body(api, 5, ",\"stream\":true")).body();
    }

    @ParameterizedTest
    @CsvSource({
        "VLLM,messages,event: error",
        "SGLANG,messages,event: error",
        "VLLM,responses,event: error",
        "SGLANG,responses,event: response.failed",
    })
    void a_stream_error_comes_in_the_apis_own_framing(EngineKind kind, String api, String event) throws Exception {
        running = RunningFleet.ofKind(kind);

        String got = stream(api, "stream-error", "2");

        String last = got.substring(got.lastIndexOf("event: "));
        assertThat(last).startsWith(event + "\ndata: {").endsWith("}\n\n");
        assertThat(got).doesNotContain("[DONE]");
        assertThat(got.split("\"delta\":", -1)).hasSize(3);
        if (api.equals("messages")) {
            assertThat(last).contains("{\"type\":\"error\",\"error\":{\"type\":\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "VLLM,messages,message_stop",
        "SGLANG,messages,message_stop",
        "VLLM,responses,response.completed",
        "SGLANG,responses,response.completed",
    })
    void streams_are_cut_and_lose_their_end(EngineKind kind, String api, String end) throws Exception {
        running = RunningFleet.ofKind(kind);

        assertThat(stream(api, "drop-done")).contains("delta").doesNotContain(end);
        assertThat(stream(api, "truncate", "2", "clean")).contains("delta").doesNotContain(end);
        assertThat(stream(api, "duplicate")).contains(end);
        assertThat(stream(api, "slow-loris", "50", "1ms")).contains("event: " + end);
        running.fault(new Fault.Truncate(2));
        try (RawStream raw = new RawStream(running.engine, path(api), body(api, 5, ",\"stream\":true"))) {
            assertThat(raw.readToEnd()).contains("delta").doesNotContain(end).doesNotEndWith("0\r\n\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"VLLM,messages", "SGLANG,messages", "VLLM,responses", "SGLANG,responses"})
    void an_aborted_stream_has_no_text_and_its_apis_end(EngineKind kind, String api) throws Exception {
        running = RunningFleet.ofKind(kind);

        String got = stream(api, "abort");

        assertThat(got).doesNotContain("_delta\",\"text\"").doesNotContain("output_text.delta");
        if (api.equals("messages")) {
            assertThat(got).contains("\"stop_reason\":null}").endsWith("data: {\"type\":\"message_stop\"}\n\n");
        } else {
            assertThat(got).contains("event: response.completed").contains("\"status\":\"cancelled\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "messages,503,overloaded_error",
        "messages,429,rate_limit_error",
        "messages,500,internal_error",
        "responses,503,503",
    })
    void sglang_puts_errors_into_the_apis_envelope(String api, int status, String type) throws Exception {
        running = RunningFleet.ofKind(EngineKind.SGLANG);
        running.fault(new Fault.ErrorStatus(status));

        HttpResponse<String> refused = running.post(path(api), body(api, 1, ""));

        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(running.json(refused).path("error").path("type").asText()).isEqualTo(type);
    }

    @Test
    void a_full_queue_is_an_event_in_sglangs_streams_and_a_503_in_vllms() throws Exception {
        running = RunningFleet.ofKind(EngineKind.SGLANG);
        assertThat(stream("messages", "queue-full"))
                .startsWith("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"");
        running.close();
        running = RunningFleet.ofOne();
        running.fault(new Fault.QueueFull(false));
        HttpResponse<String> refused = running.post(path("messages"), body("messages", 1, ",\"stream\":true"));
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).startsWith("{\"type\":\"error\",\"error\":{\"type\":\"Service Unavailable\"");
    }

    @ParameterizedTest
    @CsvSource({"VLLM,/v1/chat/completions", "SGLANG,/v1/messages"})
    void throttle_says_when_to_come_back(EngineKind kind, String path) throws Exception {
        running = RunningFleet.ofKind(kind);
        running.fault(Fault.parse("throttle", List.of("1500ms")));

        HttpResponse<String> refused = running.post(path, RunningFleet.chat(1, ""));

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("retry-after")).contains("2");
        assertThat(refused.body()).contains("Injected fault.");
        assertThat(running.get("/v1/models").statusCode()).isEqualTo(200);
    }

    @Test
    void abort_request_stops_a_zombie_whose_client_has_gone_and_is_counted() throws Exception {
        running = RunningFleet.ofKind(EngineKind.SGLANG);
        running.fault(new Fault.Zombies());
        try (RawStream raw = new RawStream(
                running.engine,
                "/v1/chat/completions",
                RunningFleet.chat(30_000, ",\"stream\":true,\"rid\":\"z-1\""))) {
            raw.readThrough("content");
        }
        RunningFleet.awaitUntil(
                "booked as cancelled", SOON, () -> running.engine.state().inflight() == 0);
        assertThat(running.engine.state().running()).isEqualTo(1);

        running.post("/abort_request", "{\"rid\":\"other\"}");
        assertThat(running.engine.state().running()).isEqualTo(1);
        running.post("/abort_request", "{\"rid\":\"z-1\"}");

        assertThat(running.engine.state().running()).isZero();
        assertThat(running.json(running.get("/sim/state")).path("abortCalls").asInt())
                .isEqualTo(2);
        assertThat(running.engine.state().requests().aborted()).isEqualTo(1);
    }

    @Test
    void vllm_aborts_by_the_ids_of_requests_and_of_answers() throws Exception {
        running = RunningFleet.ofOne();
        for (String id : List.of("v-1", "chatcmpl-v-1")) {
            try (RawStream raw = new RawStream(
                    running.engine,
                    "/v1/chat/completions",
                    RunningFleet.chat(30_000, ",\"stream\":true"),
                    "X-Request-Id: v-1")) {
                raw.readThrough("content");

                assertThat(running.post("/abort_requests", "{\"request_ids\":[\"" + id + "\"]}")
                                .statusCode())
                        .isEqualTo(200);

                assertThat(raw.readThrough("0\r\n\r\n")).contains("\"finish_reason\":\"abort\"");
            }
        }
        assertThat(running.engine.state().requests().aborted()).isEqualTo(2);
        assertThat(running.post("/abort_requests", "{}").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"VLLM,messages", "SGLANG,messages", "VLLM,responses", "SGLANG,responses"})
    void digests_cover_streams_in_pieces_and_what_is_asked_for_later(EngineKind kind, String api) throws Exception {
        running = RunningFleet.ofKind(kind);

        byte[] got = running.client
                .send(
                        running.posting(
                                path(api), body(api, 9, ",\"stream\":true"), "X-Request-Id", "d", "x-sim-split", "7"),
                        BodyHandlers.ofByteArray())
                .body();

        assertThat(running.engine.sentBody("d"))
                .isNotNull()
                .extracting("sha256")
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(got)));
        if (api.equals("responses")) {
            running.call("GET", "/v1/responses/resp_d", "X-Request-Id", "later");
            assertThat(running.engine.sentBody("later")).isNotNull();
        }
    }
}
