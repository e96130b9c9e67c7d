package dev.penstock.router.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.trace.TraceKeys;
import dev.penstock.kit.trace.Tracing;
import dev.penstock.kit.trace.TracingConfig;
import dev.penstock.model.Outcome;
import dev.penstock.testkit.OtlpSink;
import dev.penstock.testkit.ReceivedSpan;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.http.HttpHeaders;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestTraceTest {
    private final OtlpSink sink = OtlpSink.start();
    private final Tracing tracing = Tracing.open(
            new TracingConfig(URI.create(sink.endpoint() + "/v1/traces"), 1),
            "penstock-router",
            "r/1",
            new SimpleMeterRegistry());
    private final Traces traces = new Traces(tracing, () -> 0);

    @AfterEach
    void stop() {
        tracing.close();
        sink.close();
    }

    @Test
    void a_request_is_a_span_with_its_decision_and_its_attempt() {
        long start = 1_700_000_000_000_000_000L;
        RequestTrace request = traces.begin(HttpHeaders.headers(), "r-1", TraceKeys.CHAT, start);
        request.asksFor("sim/llama", true);
        request.route("least-request").decided("least-request", "engine-0", 2, 1, false);
        AttemptTrace attempt = request.attempt("engine-0", 1);
        attempt.firstByte();
        attempt.firstByte();
        attempt.ended(Outcome.OK, 200, 100, 20);
        request.ended(200, Outcome.OK);
        tracing.close();

        assertThat(sink.spans()).hasSize(3);
        ReceivedSpan span = sink.only("penstock.request");
        assertThat(span.kind()).isEqualTo("SERVER");
        assertThat(span.parentId()).isEmpty();
        assertThat(span.startEpochNanos()).isEqualTo(start);
        assertThat(span.endEpochNanos()).isGreaterThan(start);
        assertThat(span.error()).isEmpty();
        assertThat(span.attributes())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "penstock.request.id", "r-1",
                        "gen_ai.operation.name", "chat",
                        "gen_ai.request.model", "sim/llama",
                        "gen_ai.request.stream", true,
                        "http.response.status_code", 200L,
                        "penstock.outcome", "ok"));
        ReceivedSpan route = sink.only("penstock.route");
        assertChild(route, span, "INTERNAL");
        assertThat(route.attributes())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "penstock.strategy",
                        "least-request",
                        "penstock.decision",
                        "least-request",
                        "penstock.replica",
                        "engine-0",
                        "penstock.candidates",
                        2L,
                        "penstock.excluded",
                        1L,
                        "penstock.degraded",
                        false));
        ReceivedSpan inference = sink.only("llm.inference");
        assertChild(inference, span, "CLIENT");
        assertThat(inference.events()).containsExactly(new ReceivedSpan.Event("first_byte", Map.of()));
        assertThat(inference.attributes())
                .containsOnly(
                        Map.entry("gen_ai.operation.name", "chat"),
                        Map.entry("gen_ai.provider.name", "penstock"),
                        Map.entry("gen_ai.request.model", "sim/llama"),
                        Map.entry("gen_ai.request.stream", true),
                        Map.entry("gen_ai.usage.input_tokens", 100L),
                        Map.entry("gen_ai.usage.output_tokens", 20L),
                        Map.entry("server.address", "engine-0"),
                        Map.entry("http.response.status_code", 200L),
                        Map.entry("penstock.attempt", 1L),
                        Map.entry("penstock.outcome", "ok"));
    }

    @Test
    void a_retry_shows_at_the_request_and_its_failed_attempt_as_an_error() {
        RequestTrace request = begin();
        request.route("random").decided("random", "engine-0", 1, 0, false);
        request.attempt("engine-0", 1).unanswered(TraceKeys.CONNECT_FAILURE);
        request.retried(TraceKeys.CONNECT_FAILURE);
        request.route("random").decided("random;degraded=telemetry", "engine-1", 1, 1, true);
        request.attempt("engine-1", 2).ended(Outcome.OK, 200, -1, -1);
        request.ended(200, Outcome.OK);
        tracing.close();

        ReceivedSpan span = sink.only("penstock.request");
        assertThat(span.error()).as("it ended well").isEmpty();
        assertThat(span.attributes()).containsEntry("penstock.retries", 1L);
        assertThat(span.events())
                .containsExactly(new ReceivedSpan.Event("retry", Map.of("penstock.retry.reason", "connect_failure")));
        assertThat(sink.all("penstock.route")).hasSize(2);
        List<ReceivedSpan> attempts = sink.all("llm.inference");
        assertThat(attempts).extracting(ReceivedSpan::error).containsExactly("connect_failure", "");
        assertThat(attempts.getFirst().attributes())
                .containsEntry("error.type", "connect_failure")
                .containsEntry("penstock.outcome", "connect_failure")
                .containsEntry("penstock.attempt", 1L)
                .doesNotContainKey("http.response.status_code");
        assertThat(attempts.getLast().attributes())
                .containsEntry("penstock.attempt", 2L)
                .doesNotContainKeys("error.type", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens");
    }

    @Test
    void a_failed_request_is_an_error_with_what_failed() {
        RequestTrace request = begin();
        request.attempt("engine-0", 1).ended(Outcome.REPLICA_ERROR, 500, -1, -1);
        request.ended(502, Outcome.REPLICA_ERROR);
        tracing.close();

        assertThat(sink.only("llm.inference").error()).isEqualTo("replica_error, status 500");
        assertThat(sink.only("penstock.request").error()).isEqualTo("replica_error, status 502");
        assertThat(sink.only("penstock.request").attributes()).containsEntry("error.type", "replica_error");
    }

    @Test
    void half_a_stream_is_an_error_though_its_status_was_200() {
        RequestTrace request = begin();
        request.attempt("engine-0", 1).ended(Outcome.INCOMPLETE_STREAM, 200, -1, -1);
        request.ended(200, Outcome.INCOMPLETE_STREAM);
        tracing.close();

        assertThat(sink.only("penstock.request").error()).isEqualTo("incomplete_stream, status 200");
        assertThat(sink.only("llm.inference").error()).isEqualTo("incomplete_stream, status 200");
    }

    @Test
    void a_request_that_nobody_could_take_is_an_error_without_an_attempt() {
        RequestTrace request = begin();
        request.route("random").decided("refused", null, 0, 3, false);
        request.ended(503, null);
        tracing.close();

        assertThat(sink.only("penstock.request").error()).isEqualTo("status 503");
        assertThat(sink.only("penstock.request").attributes())
                .containsEntry("error.type", "503")
                .doesNotContainKey("penstock.outcome");
        assertThat(sink.only("penstock.route").error()).isEqualTo("refused");
        assertThat(sink.only("penstock.route").attributes()).doesNotContainKey("penstock.replica");
        assertThat(sink.all("llm.inference")).isEmpty();
    }

    @Test
    void what_the_client_did_is_no_error_of_the_router() {
        for (Outcome outcome : List.of(Outcome.CLIENT_ERROR, Outcome.BACKPRESSURE)) {
            RequestTrace request = begin();
            request.attempt("engine-0", 1).ended(outcome, 429, -1, -1);
            request.ended(429, outcome);
        }
        RequestTrace left = begin();
        AttemptTrace attempt = left.attempt("engine-0", 1);
        left.ended(0, Outcome.CLIENT_ABORT);
        attempt.ended(Outcome.CLIENT_ABORT, 0, -1, -1);
        tracing.close();

        assertThat(sink.all("penstock.request"))
                .hasSize(3)
                .extracting(ReceivedSpan::error)
                .containsOnly("");
        assertThat(sink.all("llm.inference"))
                .as("for an attempt, which is a client, it is one")
                .extracting(ReceivedSpan::error)
                .containsExactly("client_error, status 429", "backpressure, status 429", "");
    }

    @Test
    void nothing_that_is_said_after_the_end_counts() {
        RequestTrace request = begin();
        RouteTrace route = request.route("random");
        AttemptTrace attempt = request.attempt("engine-0", 1);
        for (int i = 0; i < 2; i++) {
            boolean first = i == 0;
            route.decided("random", first ? "engine-0" : null, 1, 0, !first);
            attempt.ended(first ? Outcome.OK : Outcome.REPLICA_ERROR, first ? 200 : 500, -1, 7);
            attempt.unanswered(TraceKeys.CONNECTION_RESET);
            attempt.firstByte();
            request.ended(first ? 200 : 502, first ? Outcome.OK : Outcome.REPLICA_ERROR);
            request.retried("late");
            request.asksFor("late", true);
            attempt.inject(HttpHeaders.headers());
        }
        tracing.close();

        assertThat(sink.spans()).hasSize(3).extracting(ReceivedSpan::error).containsOnly("");
        assertThat(sink.spans()).allSatisfy(span -> assertThat(span.events()).isEmpty());
        assertThat(sink.only("penstock.request").attributes())
                .containsEntry("http.response.status_code", 200L)
                .doesNotContainKeys("gen_ai.request.model", "penstock.retries", "error.type");
    }

    @Test
    void a_clients_text_is_cut_and_never_within_a_character() {
        RequestTrace request = begin();
        request.asksFor("m".repeat(99) + "\ud83d\ude00" + "x".repeat(1_000_000), false);
        request.attempt("engine-0", 1).ended(Outcome.OK, 200, -1, -1);
        request.ended(200, Outcome.OK);
        tracing.close();

        assertThat(sink.spans()).hasSize(2).allSatisfy(span -> assertThat(span.attributes())
                .containsEntry("gen_ai.request.model", "m".repeat(99)));
    }

    @Test
    void every_outcome_has_a_word_and_only_ok_and_aborts_are_no_error_of_an_attempt() {
        for (Outcome outcome : Outcome.values()) {
            RequestTrace request = begin();
            request.attempt("engine-0", 1).ended(outcome, 0, -1, -1);
            request.ended(0, outcome);
        }
        tracing.close();

        assertThat(sink.all("llm.inference"))
                .hasSize(Outcome.values().length)
                .filteredOn(span -> span.error().isEmpty())
                .extracting(span -> span.attributes().get("penstock.outcome"))
                .containsExactly("ok", "client_abort");
    }

    private RequestTrace begin() {
        return traces.begin(HttpHeaders.headers(), "r-1", TraceKeys.CHAT, 0);
    }

    private static void assertChild(ReceivedSpan child, ReceivedSpan parent, String kind) {
        assertThat(child.traceId()).isEqualTo(parent.traceId());
        assertThat(child.parentId()).isEqualTo(parent.spanId());
        assertThat(child.kind()).isEqualTo(kind);
    }
}
