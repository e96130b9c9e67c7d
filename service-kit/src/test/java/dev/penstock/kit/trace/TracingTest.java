package dev.penstock.kit.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.OtlpSink;
import dev.penstock.testkit.ReceivedSpan;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TracingTest {
    private static final Duration CLOSES_WITHIN = Duration.ofMillis(3_500);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void without_an_endpoint_there_is_no_tracer_and_nothing_to_close() {
        Tracing tracing = Tracing.open(new TracingConfig(null, 1), "penstock-router", "r/1", meters);

        assertThat(tracing).isSameAs(Tracing.OFF);
        assertThat(tracing.tracer()).isNull();
        assertThat(meters.getMeters()).isEmpty();
        tracing.close();
    }

    @Test
    void closing_sends_what_is_queued_under_the_names_of_service_and_instance() {
        try (OtlpSink sink = OtlpSink.start()) {
            Tracing tracing = open(sink.endpoint());
            end(tracing, 700);

            tracing.close();

            assertThat(sink.all("s")).hasSize(700);
            ReceivedSpan span = sink.spans().getFirst();
            assertThat(span.resource())
                    .containsEntry("service.name", "penstock-router")
                    .containsEntry("service.instance.id", "r/1")
                    .containsEntry("telemetry.sdk.language", "java");
            assertThat(span.traceId()).matches("[0-9a-f]{32}").isNotEqualTo("0".repeat(32));
            assertThat(dropped()).isZero();
            tracing.close();
        }
    }

    @Test
    void spans_leave_by_themselves_within_seconds() {
        try (OtlpSink sink = OtlpSink.start();
                Tracing tracing = open(sink.endpoint())) {
            end(tracing, 1);

            Await.until("the span is there", Duration.ofSeconds(10), () -> !sink.all("s")
                    .isEmpty());
        }
    }

    @Test
    void what_a_collector_refuses_is_counted() {
        try (OtlpSink sink = OtlpSink.start()) {
            sink.answerWith(400);
            Tracing tracing = open(sink.endpoint());
            end(tracing, 10);

            tracing.close();

            assertThat(sink.posts()).isPositive();
            assertThat(dropped()).isEqualTo(10);
        }
    }

    @Test
    void a_collector_that_is_down_holds_up_neither_requests_nor_the_end() {
        Tracing tracing = open("http://127.0.0.1:" + FreePorts.one());
        end(tracing, 1_000);
        long before = System.nanoTime();

        end(tracing, 20_000);

        // 20,000 spans in a tenth of the time that a single post may take.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(dropped()).isGreaterThanOrEqualTo(21_000 - SpanQueue.MOST_SPANS - 512);
        assertThat(timeToClose(tracing)).isLessThan(CLOSES_WITHIN);
    }

    @Test
    void a_collector_that_never_answers_does_not_hold_up_the_end() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            Tracing tracing = open("http://127.0.0.1:" + silent.getLocalPort());
            end(tracing, 10);

            assertThat(timeToClose(tracing)).isLessThan(CLOSES_WITHIN);
        }
    }

    private Tracing open(String endpoint) {
        return Tracing.open(
                new TracingConfig(URI.create(endpoint + "/v1/traces"), 1), "penstock-router", "r/1", meters);
    }

    private static void end(Tracing tracing, int spans) {
        Tracer tracer = Objects.requireNonNull(tracing.tracer());
        for (int i = 0; i < spans; i++) tracer.spanBuilder("s").startSpan().end();
    }

    private static Duration timeToClose(Tracing tracing) {
        long before = System.nanoTime();
        tracing.close();
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private double dropped() {
        return meters.find(MetricNames.TRACE_SPANS_DROPPED).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
