package dev.penstock.router.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.trace.TraceKeys;
import dev.penstock.kit.trace.Tracing;
import dev.penstock.kit.trace.TracingConfig;
import dev.penstock.model.Outcome;
import dev.penstock.testkit.OtlpSink;
import dev.penstock.testkit.ReceivedSpan;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TracesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";
    private static final String SAMPLED = "00-" + TRACE + "-" + PARENT + "-01";
    private static final String UNSAMPLED = "00-" + TRACE + "-" + PARENT + "-00";

    private final OtlpSink sink = OtlpSink.start();
    private @Nullable Tracing tracing;

    @AfterEach
    void stop() {
        if (tracing != null) tracing.close();
        sink.close();
    }

    @Test
    void off_traces_nothing_and_allocates_nothing() {
        MultiMap headers = headers("traceparent", SAMPLED);

        assertThat(allocatedPerCall(Traces.OFF, headers)).isZero();
        assertThat(Traces.OFF.begin(headers, "r-1", TraceKeys.CHAT, 0)).isNull();
    }

    @Test
    void a_request_that_is_not_drawn_allocates_nothing() {
        Traces traces = traces(0.01, () -> 0.5);

        assertThat(allocatedPerCall(traces, headers("content-type", "application/json")))
                .isZero();
    }

    @Test
    void a_share_of_requests_without_a_parent_is_drawn() {
        assertThat(drawn(0, 1_000)).isZero();
        assertThat(drawn(1, 1_000)).isEqualTo(1_000);
        // Binomial, sigma 9.5: five of them.
        assertThat(drawn(0.01, 10_000)).isBetween(52, 148);
    }

    @Test
    void a_parents_word_counts_and_not_the_share() {
        assertThat(begin(traces(1, () -> 0), headers("traceparent", UNSAMPLED))).isNull();
        assertThat(begin(traces(0, () -> 0), headers("traceparent", SAMPLED))).isNotNull();
    }

    @Test
    void a_clients_trace_goes_on_through_the_request_to_the_engine() {
        MultiMap client = headers("traceparent", SAMPLED, "tracestate", "vendor=a", "baggage", "user=7");
        client.add("tracestate", "other=b");
        MultiMap upstream = HttpHeaders.headers().setAll(client);

        RequestTrace request = begin(traces(0, () -> 0), client);
        AttemptTrace attempt = request.attempt("engine-0", 1);
        attempt.inject(upstream);
        attempt.ended(Outcome.OK, 200, -1, -1);
        request.ended(200, Outcome.OK);
        flush();

        ReceivedSpan span = sink.only(TraceKeys.REQUEST_SPAN);
        ReceivedSpan inference = sink.only(TraceKeys.INFERENCE_SPAN);
        assertThat(span.traceId()).isEqualTo(TRACE);
        assertThat(span.parentId()).isEqualTo(PARENT);
        assertThat(span.traceState()).isEqualTo("vendor=a,other=b");
        assertThat(inference.traceId()).isEqualTo(TRACE);
        assertThat(inference.parentId()).isEqualTo(span.spanId());
        assertThat(upstream.getAll("traceparent")).containsExactly("00-" + TRACE + "-" + inference.spanId() + "-01");
        assertThat(upstream.getAll("tracestate")).containsExactly("vendor=a,other=b");
        assertThat(upstream.get("baggage")).isEqualTo("user=7");
    }

    @Test
    void a_parent_that_cannot_be_read_is_none() {
        for (String malformed : List.of(
                "",
                "00",
                "00-" + TRACE + "-" + PARENT,
                "00-" + TRACE + "-" + PARENT + "-01-more",
                "00-" + TRACE + "-" + PARENT + "-1",
                "ff-" + TRACE + "-" + PARENT + "-01",
                "0-" + TRACE + "-" + PARENT + "-01",
                "00-" + "0".repeat(32) + "-" + PARENT + "-01",
                "00-" + TRACE + "-" + "0".repeat(16) + "-01",
                "00-" + TRACE.toUpperCase(Locale.ROOT) + "-" + PARENT + "-01",
                "00-" + TRACE.replace('a', 'g') + "-" + PARENT + "-01")) {
            MultiMap client = headers("traceparent", malformed, "tracestate", "vendor=a");

            assertThat(begin(traces(0, () -> 0), client)).as(malformed).isNull();
            assertStartsAnew(client);
        }
    }

    @Test
    void two_parents_are_none() {
        MultiMap client = headers("traceparent", SAMPLED, "tracestate", "vendor=a");
        client.add("traceparent", SAMPLED);

        assertStartsAnew(client);
    }

    @Test
    void a_parent_of_a_later_version_is_read_as_far_as_it_is_known() {
        RequestTrace request =
                begin(traces(0, () -> 0), headers("traceparent", "01-" + TRACE + "-" + PARENT + "-01-more"));

        assertThat(request.traceId()).isEqualTo(TRACE);
    }

    private void assertStartsAnew(MultiMap client) {
        MultiMap upstream = HttpHeaders.headers().setAll(client);
        RequestTrace request = begin(traces(1, () -> 0), client);

        request.attempt("engine-0", 1).inject(upstream);

        assertThat(request.traceId()).isNotEqualTo(TRACE);
        assertThat(upstream.getAll("traceparent"))
                .singleElement()
                .asString()
                .as("sampled, and its id is random")
                .matches("00-" + request.traceId() + "-[0-9a-f]{16}-03");
        assertThat(upstream.contains("tracestate")).isFalse();
    }

    private int drawn(double sample, int requests) {
        Traces traces = traces(sample, new SplittableRandom(7)::nextDouble);
        int drawn = 0;
        for (int i = 0; i < requests; i++) {
            if (traces.begin(HttpHeaders.headers(), "r", TraceKeys.CHAT, 0) != null) drawn++;
        }
        return drawn;
    }

    private static RequestTrace begin(Traces traces, MultiMap headers) {
        return traces.begin(headers, "r-1", TraceKeys.CHAT, 0);
    }

    private Traces traces(double sample, DoubleSupplier random) {
        flush();
        tracing = Tracing.open(
                new TracingConfig(URI.create(sink.endpoint() + "/v1/traces"), sample),
                "penstock-router",
                "r/1",
                new SimpleMeterRegistry());
        return new Traces(tracing, random);
    }

    private void flush() {
        if (tracing != null) tracing.close();
    }

    private static MultiMap headers(String... namesAndValues) {
        MultiMap headers = HttpHeaders.headers();
        for (int i = 0; i < namesAndValues.length; i += 2) headers.add(namesAndValues[i], namesAndValues[i + 1]);
        return headers;
    }

    /** Warm, so that what the JVM itself allocates when code runs for the first time does not count. */
    private static long allocatedPerCall(Traces traces, MultiMap headers) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int calls = 20_000;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
                if (traces.begin(headers, "r-1", TraceKeys.CHAT, 0) != null) throw new AssertionError("traced");
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / calls;
    }
}
