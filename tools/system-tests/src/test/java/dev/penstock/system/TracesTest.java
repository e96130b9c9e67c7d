package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.OtlpSink;
import dev.penstock.testkit.RawHttp;
import dev.penstock.testkit.ReceivedSpan;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.ScriptedReplica;
import dev.penstock.testkit.raw.SeenRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request as a collector of traces sees it. */
class TracesTest {
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final String SEEN = "sim/seen";
    private static final String CLIENT_SPAN = "00f067aa0ba902b7";
    private static final int TOKENS = 4;
    /** By chance it is asked once in two. */
    private static final int TRIES = 60;

    @TempDir
    static Path data;

    private static OtlpSink sink;
    private static Engines engines;
    private static ScriptedReplica seeing;
    private static Suite suite;
    private static int traces;

    @BeforeAll
    static void up() throws Exception {
        sink = OtlpSink.start();
        seeing = ScriptedReplica.start(
                SEEN, Plan.json(200, "{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}"));
        engines = Engines.start(2, EngineKind.VLLM).and("seeing", seeing.port(), SEEN);
        Path config = Files.writeString(
                data.resolve("penstock.yaml"), "tracing: {otlpEndpoint: \"" + sink.endpoint() + "\", sample: 100%}");
        suite = Suite.start(data, 1, engines.count(), "--replicas", engines.file(data), "--config", "" + config);
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite, engines, seeing, sink);
    }

    @Test
    void a_chat_is_a_request_with_its_decision_and_its_attempt_below_the_clients_span() throws Exception {
        String trace = newTrace();

        RawHttp.Response answer = chat(SEEN, trace);

        List<ReceivedSpan> spans = spans(trace, 3);
        ReceivedSpan request = only(spans, "penstock.request");
        ReceivedSpan route = only(spans, "penstock.route");
        ReceivedSpan inference = only(spans, "llm.inference");
        assertThat(request.parentId()).isEqualTo(CLIENT_SPAN);
        assertThat(request.kind()).isEqualTo("SERVER");
        assertThat(request.attributes()).containsEntry("penstock.request.id", answer.header("x-request-id"));
        assertThat(List.of(route.parentId(), inference.parentId())).containsOnly(request.spanId());
        assertThat(route.attributes()).containsEntry("penstock.replica", "seeing");
        assertThat(inference.kind()).isEqualTo("CLIENT");
        assertThat(inference.attributes())
                .containsEntry("gen_ai.request.model", SEEN)
                .containsEntry("gen_ai.usage.input_tokens", 7L)
                .containsEntry("gen_ai.usage.output_tokens", 3L)
                .containsEntry("server.address", "seeing")
                .containsEntry("penstock.outcome", "ok");
        SeenRequest seen = seeing.log().requests().stream()
                .filter(each -> each.values("x-request-id").contains(answer.header("x-request-id") + "-a1"))
                .findFirst()
                .orElseThrow();
        assertThat(seen.values("traceparent")).containsExactly("00-" + trace + "-" + inference.spanId() + "-01");
    }

    @Test
    void a_request_that_was_failed_over_shows_both_attempts() throws Exception {
        Engines.fault(engines.only(EngineKind.VLLM), new Fault.ErrorStatus(503, 100));

        String trace = failedOver();

        List<ReceivedSpan> spans = spans(trace, 5);
        ReceivedSpan request = only(spans, "penstock.request");
        List<ReceivedSpan> attempts = spans.stream()
                .filter(span -> span.name().equals("llm.inference"))
                .sorted(Comparator.comparing(span -> (Long) span.attributes().get("penstock.attempt")))
                .toList();
        assertThat(request.error()).isEmpty();
        assertThat(request.attributes()).containsEntry("penstock.retries", 1L);
        assertThat(request.events()).singleElement().satisfies(event -> assertThat(event.name())
                .isEqualTo("retry"));
        assertThat(attempts).hasSize(2).allSatisfy(attempt -> assertThat(attempt.parentId())
                .isEqualTo(request.spanId()));
        assertThat(attempts.getFirst().attributes())
                .containsEntry("server.address", "vllm-engine-0")
                .containsEntry("http.response.status_code", 503L)
                .containsEntry("penstock.outcome", "backpressure");
        assertThat(attempts.getFirst().error()).isNotEmpty();
        assertThat(attempts.getLast().attributes())
                .containsEntry("server.address", "vllm-engine-1")
                .containsEntry("penstock.outcome", "ok")
                .containsEntry("gen_ai.usage.output_tokens", (long) TOKENS);
        assertThat(attempts.getLast().error()).isEmpty();
    }

    /** The trace of a request that met the engine that is full, and was answered. */
    private static String failedOver() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            String trace = newTrace();
            RawHttp.Response answer = chat(Engines.model(EngineKind.VLLM), trace);
            JsonObject page =
                    new JsonObject(Suite.get(port() + 1, "/debug/decisions/" + answer.header("x-request-id")));
            if (page.getJsonArray("attempts").size() == 2) return trace;
        }
        throw new AssertionError("no request was failed over");
    }

    private static RawHttp.Response chat(String model, String trace) throws IOException {
        String parent = "traceparent: 00-" + trace + "-" + CLIENT_SPAN + "-01";
        RawHttp.Response answer =
                RawHttp.exchange(port(), Suite.chat(model, "hi", false, TOKENS, parent), Suite.ANSWER_TIMEOUT);
        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        return answer;
    }

    private static String newTrace() {
        return "4bf92f3577b34da6a3ce929d0e0e%04x".formatted(++traces);
    }

    private static List<ReceivedSpan> spans(String trace, int count) {
        return Await.value(
                count + " spans of " + trace,
                SOON,
                () -> sink.spans().stream()
                        .filter(span -> span.traceId().equals(trace))
                        .toList(),
                spans -> spans.size() == count);
    }

    private static ReceivedSpan only(List<ReceivedSpan> spans, String name) {
        List<ReceivedSpan> named =
                spans.stream().filter(span -> span.name().equals(name)).toList();
        assertThat(named).as(name).hasSize(1);
        return named.getFirst();
    }

    private static int port() {
        return suite.routerPorts().getFirst();
    }
}
