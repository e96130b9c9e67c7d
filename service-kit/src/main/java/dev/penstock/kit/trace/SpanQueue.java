package dev.penstock.kit.trace;

import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.metrics.MetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ended spans on their way to the collector, counted from their end to the collector's word, so that the bound holds for
 * what waits and what is being sent together. A span above it is dropped and counted; nobody waits. Ended on any thread,
 * sent by the batch processor's own.
 */
final class SpanQueue implements SpanProcessor {
    /** Three spans of a request, 1 % of 20,000 requests/s: what three seconds end. */
    static final int MOST_SPANS = 2_048;

    private static final int MOST_PER_BATCH = 512;
    private static final Duration BETWEEN_BATCHES = Duration.ofSeconds(1);
    private static final Duration BATCH_TIMEOUT = Duration.ofSeconds(10);

    private final AtomicInteger held = new AtomicInteger();
    private final BatchSpanProcessor batches;
    private final Counter full;

    SpanQueue(SpanExporter exporter, String url, MeterRegistry meters) {
        this.full = dropped(meters, "queue_full");
        this.batches = BatchSpanProcessor.builder(new Watched(exporter, url, dropped(meters, "not_taken")))
                .setMaxQueueSize(MOST_SPANS)
                .setMaxExportBatchSize(MOST_PER_BATCH)
                .setScheduleDelay(BETWEEN_BATCHES)
                .setExporterTimeout(BATCH_TIMEOUT)
                .build();
    }

    private static Counter dropped(MeterRegistry meters, String reason) {
        return Counter.builder(MetricNames.TRACE_SPANS_DROPPED)
                .tag(MetricNames.REASON_LABEL, reason)
                .register(meters);
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!span.getSpanContext().isSampled()) return;
        if (held.incrementAndGet() > MOST_SPANS) {
            held.decrementAndGet();
            full.increment();
            return;
        }
        batches.onEnd(span);
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batches.forceFlush();
    }

    /** The exporter, with what came of each batch: counted, and one line in the log when that changes. */
    private final class Watched implements SpanExporter {
        private static final Logger LOG = LoggerFactory.getLogger(SpanQueue.class);

        private final SpanExporter exporter;
        private final String url;
        private final Counter notTaken;
        private volatile boolean failing;

        Watched(SpanExporter exporter, String url, Counter notTaken) {
            this.exporter = exporter;
            this.url = url;
            this.notTaken = notTaken;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int count = spans.size();
            CompletableResultCode result = exporter.export(spans);
            result.whenComplete(() -> sent(count, result));
            return result;
        }

        private void sent(int count, CompletableResultCode result) {
            held.addAndGet(-count);
            if (!result.isSuccess()) notTaken.increment(count);
            if (failing == !result.isSuccess()) return;
            failing = !result.isSuccess();
            if (failing) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.URL, url)
                        .addKeyValue(LogKeys.ERROR, cause(result))
                        .log("spans are not taken; they are dropped and counted");
            } else {
                LOG.atInfo().addKeyValue(LogKeys.URL, url).log("spans are taken again");
            }
        }

        /** The exporter's own exception says no more than that there is a cause. */
        private static String cause(CompletableResultCode result) {
            Throwable failure = result.getFailureThrowable();
            if (failure == null) return "unknown";
            return String.valueOf(failure.getCause() == null ? failure : failure.getCause());
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
