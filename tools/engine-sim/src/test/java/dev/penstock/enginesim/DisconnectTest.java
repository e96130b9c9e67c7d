package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.engine.Cancellation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisconnectTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    @Test
    void client_disconnect_aborts_the_request() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            RawStream raw = new RawStream(
                    running.engine, CHAT, RunningFleet.chat(10_000, ",\"stream\":true"), "x-request-id: gone-1");
            raw.readThrough("finish_reason");
            // The first token is written within its step, the step's books are closed after it.
            RunningFleet.awaitUntil(
                    "running", ONE_SECOND, () -> running.engine.state().running() == 1);

            raw.close();

            // The state is read from another thread, number by number: all of it settles within the second.
            RunningFleet.awaitUntil("cancelled and gone", ONE_SECOND, () -> {
                EngineState state = running.engine.state();
                return state.requests().cancelled() == 1 && state.running() == 0 && state.inflight() == 0;
            });
            EngineState state = running.engine.state();
            Cancellation cancellation = state.requests().cancellations().getFirst();
            assertThat(cancellation.id()).isEqualTo("gone-1");
            assertThat(cancellation.generatedTokens()).isPositive();
            assertThat(running.metric("vllm:num_requests_running")).isZero();
        }
    }

    @Test
    void a_half_close_cancels_and_the_engine_closes_its_half() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne();
                RawStream raw = new RawStream(running.engine, CHAT, RunningFleet.chat(10_000, ",\"stream\":true"))) {
            raw.readThrough("finish_reason");

            raw.halfClose();

            assertThat(raw.readToEnd()).doesNotContain("[DONE]");
            // The socket is closed first and the event loop told next.
            RunningFleet.awaitUntil(
                    "cancelled",
                    ONE_SECOND,
                    () -> running.engine.state().requests().cancelled() == 1);
        }
    }

    @Test
    void a_request_that_waits_leaves_the_queue_with_its_client() throws Exception {
        try (RunningFleet running = RunningFleet.withMaxNumSeqs(1);
                RawStream first = new RawStream(running.engine, CHAT, RunningFleet.chat(10_000, ",\"stream\":true"))) {
            first.readThrough("finish_reason");
            RawStream second = new RawStream(running.engine, CHAT, RunningFleet.chat(10, ""));
            RunningFleet.awaitUntil(
                    "waiting", ONE_SECOND, () -> running.engine.state().waiting() == 1);

            second.close();

            RunningFleet.awaitUntil(
                    "left the queue", ONE_SECOND, () -> running.engine.state().waiting() == 0);
            assertThat(running.engine.state().inflight()).isEqualTo(1);
        }
    }

    @Test
    void the_high_water_mark_counts_requests_open_at_once() throws Exception {
        try (RunningFleet running = RunningFleet.withMaxNumSeqs(2)) {
            List<RawStream> streams = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                streams.add(new RawStream(running.engine, CHAT, RunningFleet.chat(10_000, ",\"stream\":true")));
            }
            RunningFleet.awaitUntil(
                    "all open",
                    ONE_SECOND,
                    () -> running.engine.state().running()
                                    + running.engine.state().waiting()
                            == 5);
            assertThat(running.engine.state().running()).isEqualTo(2);

            for (RawStream stream : streams) {
                stream.close();
            }
            RunningFleet.awaitUntil(
                    "all gone", ONE_SECOND, () -> running.engine.state().inflight() == 0);

            assertThat(running.engine.state().highWater()).isEqualTo(5);
            running.engine.resetHighWater();
            assertThat(running.engine.state().highWater()).isZero();
        }
    }

    @Test
    void one_request_after_another_never_counts_as_two() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            for (int i = 0; i < 50; i++) {
                running.post(CHAT, RunningFleet.chat(1, i % 2 == 0 ? ",\"stream\":true" : ""));
            }

            assertThat(running.engine.state().highWater()).isEqualTo(1);
            assertThat(running.engine.state().requests().completed()).isEqualTo(50);
        }
    }
}
