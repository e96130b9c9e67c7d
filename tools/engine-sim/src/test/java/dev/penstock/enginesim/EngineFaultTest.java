package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.enginesim.fault.Fault;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineFaultTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String STREAM = ",\"stream\":true";

    private RunningFleet running;

    @BeforeEach
    void start() {
        running = RunningFleet.ofOne();
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private void connect() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", running.engine.port()), 1000);
        }
    }

    @Test
    void refuse_closes_the_port_but_lets_running_requests_finish() throws Exception {
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(100, STREAM))) {
            raw.readThrough("finish_reason");

            running.fault(new Fault.Refuse());

            assertThatThrownBy(this::connect)
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
            assertThat(running.engine.state().inflight()).isEqualTo(1);
            assertThat(raw.readToEnd()).contains("data: [DONE]").endsWith("0\r\n\r\n");
        }
    }

    @Test
    void refuse_closes_idle_and_unused_connections() throws Exception {
        try (RawStream idle = new RawStream(running.engine, CHAT, RunningFleet.chat(1, STREAM));
                Socket unused = new Socket("127.0.0.1", running.engine.port())) {
            idle.readThrough("0\r\n\r\n");
            unused.setSoTimeout(2000);
            // The unused connection is known once a later one has been served.
            running.get("/health");

            running.fault(new Fault.Refuse());

            assertThat(idle.readToEnd()).isEmpty();
            assertThat(unused.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void a_cleared_refusal_listens_on_the_same_port_again() throws Exception {
        int port = running.engine.port();
        for (int i = 0; i < 3; i++) {
            running.fault(new Fault.Refuse());
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            running.clearFault();
            assertThat(running.post(CHAT, RunningFleet.chat(1, "")).statusCode())
                    .isEqualTo(200);
        }
        assertThat(running.engine.port()).isEqualTo(port);
    }

    @Test
    void error_answers_generation_with_the_status_and_health_with_200() throws Exception {
        running.fault(new Fault.ErrorStatus(503));

        HttpResponse<String> response = running.post(CHAT, RunningFleet.chat(1, STREAM));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body())
                .isEqualTo("{\"error\":{\"message\":\"Injected fault.\",\"type\":\"Service Unavailable\","
                        + "\"param\":null,\"code\":503}}");
        assertThat(running.get("/health").statusCode()).isEqualTo(200);
        assertThat(running.engine.state().requests().rejected()).isEqualTo(1);
        running.clearFault();
        assertThat(running.post(CHAT, RunningFleet.chat(1, "")).statusCode()).isEqualTo(200);
    }

    @Test
    void stall_sends_the_head_of_a_stream_and_no_data_and_counters_stand_still() throws Exception {
        running.post(CHAT, RunningFleet.chat(5, ""));
        running.fault(new Fault.Stall());
        double steps = running.metric("vllm:iteration_tokens_total_count");

        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(5, STREAM))) {
            assertThat(raw.readThrough("\r\n\r\n")).startsWith("HTTP/1.1 200 OK");
            assertThat(raw.silentFor(150)).isTrue();
            assertThat(running.metric("vllm:iteration_tokens_total_count")).isEqualTo(steps);
            assertThat(running.get("/health").statusCode()).isEqualTo(200);

            running.clearFault();

            assertThat(raw.readThrough("0\r\n\r\n")).contains("data: [DONE]");
        }
    }

    @Test
    void stall_silences_streams_that_were_running() throws Exception {
        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(10_000, STREAM))) {
            raw.readThrough("finish_reason");

            running.fault(new Fault.Stall());
            double tokens = running.metric("vllm:generation_tokens_total");

            assertThat(running.metric("vllm:num_requests_running")).isEqualTo(1);
            assertThat(running.metric("vllm:generation_tokens_total")).isEqualTo(tokens);
            assertThat(running.engine.state().inflight()).isEqualTo(1);
        }
        RunningFleet.awaitUntil(
                "a stalled request is dropped with its client",
                Duration.ofSeconds(1),
                () -> running.engine.state().running() == 0);
    }

    @Test
    void truncate_cuts_streams_without_a_last_chunk() throws Exception {
        running.fault(new Fault.Truncate(4));

        try (RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(100, STREAM))) {
            String got = raw.readToEnd();

            assertThat(got.split("\"delta\":\\{\"content\"", -1)).hasSize(5);
            assertThat(got).doesNotContain("[DONE]").doesNotEndWith("0\r\n\r\n");
        }
        EngineState state = running.engine.state();
        assertThat(state.running()).isZero();
        assertThat(state.requests().cut()).isEqualTo(1);
        assertThat(state.requests().cancelled()).isZero();
    }

    @Test
    void drop_done_ends_a_stream_cleanly_but_too_early() throws Exception {
        running.fault(new Fault.DropDone());

        String got = running.post(CHAT, RunningFleet.chat(3, STREAM)).body();

        assertThat(got).contains("\"finish_reason\":\"length\"").doesNotContain("[DONE]");
    }

    @Test
    void abort_answers_200_without_text() throws Exception {
        running.fault(new Fault.Abort());

        HttpResponse<String> stream = running.post(CHAT, RunningFleet.chat(3, STREAM));
        HttpResponse<String> whole = running.post(CHAT, RunningFleet.chat(3, ""));

        assertThat(stream.statusCode()).isEqualTo(200);
        assertThat(stream.body())
                .contains("\"delta\":{\"content\":\"\"},\"logprobs\":null,\"finish_reason\":\"abort\"")
                .endsWith("data: [DONE]\n\n");
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.body()).contains("\"content\":\"\"").contains("\"finish_reason\":\"abort\"");
    }

    @Test
    void freeze_metrics_stops_the_page_and_not_the_work() throws Exception {
        running.fault(new Fault.FreezeMetrics());
        String before = running.get("/metrics").body();

        running.post(CHAT, RunningFleet.chat(9, STREAM));

        assertThat(running.get("/metrics").body()).isEqualTo(before);
        assertThat(running.metric("vllm:generation_tokens_total")).isZero();
        running.clearFault();
        assertThat(running.metric("vllm:generation_tokens_total")).isEqualTo(9);
    }

    @Test
    void slow_multiplies_the_time_of_steps() throws Exception {
        running.fault(new Fault.Slow(20));
        long start = System.nanoTime();

        running.post(CHAT, RunningFleet.chat(5, ""));

        // Five steps of 20 times 1.9 ms, less what jitter may take.
        assertThat((System.nanoTime() - start) / 1e6).isGreaterThan(5 * 20 * 1.9 * 0.8);
    }

    @Test
    void a_new_fault_replaces_the_old_one() throws Exception {
        running.fault(new Fault.Stall());

        running.fault(new Fault.ErrorStatus(500));

        assertThat(running.engine.state().fault()).isEqualTo(new Fault.ErrorStatus(500));
        assertThat(running.post(CHAT, RunningFleet.chat(1, "")).statusCode()).isEqualTo(500);
        running.clearFault();
        assertThat(running.post(CHAT, RunningFleet.chat(1, "")).statusCode()).isEqualTo(200);
    }
}
