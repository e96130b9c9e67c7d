package dev.penstock.kit.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpanQueueTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final HangingExporter exporter = new HangingExporter();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(new SpanQueue(exporter, "http://hanging", meters))
            .build();
    private final Tracer tracer = provider.get("test");

    @AfterEach
    void close() {
        exporter.finish(true);
        provider.close();
    }

    @Test
    void a_collector_that_says_nothing_is_owed_so_many_spans_and_no_more() {
        end(3 * SpanQueue.MOST_SPANS);

        Await.until("a batch is being sent", Duration.ofSeconds(10), () -> exporter.taken.get() > 0);
        assertThat(dropped("queue_full")).isEqualTo(2 * SpanQueue.MOST_SPANS);
        end(1_000);
        assertThat(dropped("queue_full"))
                .as("what is being sent counts as well")
                .isEqualTo(2 * SpanQueue.MOST_SPANS + 1_000);
        assertThat(dropped("not_taken")).isZero();
    }

    @Test
    void a_batch_that_was_not_taken_is_counted_and_makes_room() {
        end(SpanQueue.MOST_SPANS);
        Await.until("a batch is being sent", Duration.ofSeconds(10), () -> exporter.taken.get() > 0);
        int lost = exporter.taken.get();

        exporter.finishOne(false);

        assertThat(dropped("not_taken")).isEqualTo(lost);
        end(lost);
        assertThat(dropped("queue_full")).isZero();
        end(1);
        assertThat(dropped("queue_full")).isEqualTo(1);
    }

    private void end(int spans) {
        for (int i = 0; i < spans; i++) tracer.spanBuilder("s").startSpan().end();
    }

    private double dropped(String reason) {
        return meters.get(MetricNames.TRACE_SPANS_DROPPED)
                .tag(MetricNames.REASON_LABEL, reason)
                .counter()
                .count();
    }

    /** Takes batches and says nothing of them until it is told to. */
    private static final class HangingExporter implements SpanExporter {
        final AtomicInteger taken = new AtomicInteger();
        private final Queue<CompletableResultCode> pending = new ConcurrentLinkedQueue<>();
        private volatile boolean finished;

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            if (finished) return CompletableResultCode.ofSuccess();
            CompletableResultCode result = new CompletableResultCode();
            pending.add(result);
            taken.addAndGet(spans.size());
            return result;
        }

        void finishOne(boolean well) {
            CompletableResultCode result = pending.remove();
            if (well) result.succeed();
            else result.fail();
        }

        void finish(boolean well) {
            finished = true;
            while (!pending.isEmpty()) finishOne(well);
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
