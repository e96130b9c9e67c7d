package dev.penstock.kit.trace;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A service's way to send spans: OTLP over HTTP to the configured collector, or {@link #OFF}. Nothing waits for the
 * collector: spans queue up to a bound and are sent by a thread of their own. Any thread.
 */
public final class Tracing implements AutoCloseable {
    /** No endpoint: there is no tracer. */
    public static final Tracing OFF = new Tracing(null, null, 0);

    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** With the exporter's retries within the batch's 10 s. */
    private static final Duration POST_TIMEOUT = Duration.ofSeconds(5);

    /** Beyond the bounds of the writers: no text makes a span large, no loop makes one long. */
    private static final SpanLimits LIMITS = SpanLimits.builder()
            .setMaxAttributeValueLength(256)
            .setMaxNumberOfAttributes(32)
            .setMaxNumberOfEvents(32)
            .build();

    /** The SDK logs by java.util.logging, once per failed batch; {@link SpanQueue} says it once. Held, or it is forgotten. */
    private static final Logger SDK_LOG = Logger.getLogger("io.opentelemetry");

    private final @Nullable SdkTracerProvider provider;
    private final @Nullable Tracer tracer;
    private final double sample;

    private Tracing(@Nullable SdkTracerProvider provider, @Nullable Tracer tracer, double sample) {
        this.provider = provider;
        this.tracer = tracer;
        this.sample = sample;
    }

    /**
     * @param service like {@code penstock-router}
     * @param instance one life of a process
     */
    public static Tracing open(TracingConfig config, String service, String instance, MeterRegistry meters) {
        URI url = config.tracesUrl();
        if (url == null) return OFF;
        SDK_LOG.setLevel(Level.OFF);
        SpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(url.toString())
                .setConnectTimeout(CONNECT_TIMEOUT)
                .setTimeout(POST_TIMEOUT)
                .build();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().toBuilder()
                        .put(TraceKeys.SERVICE_NAME, service)
                        .put(TraceKeys.SERVICE_INSTANCE, instance)
                        .build())
                // A parent's word counts. Roots are drawn by who opens them (sample()), before they cost anything.
                .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                .setSpanLimits(LIMITS)
                .addSpanProcessor(new SpanQueue(exporter, url.toString(), meters))
                .build();
        return new Tracing(provider, provider.get(TraceKeys.SCOPE), config.sample());
    }

    /** Null when tracing is off. */
    public @Nullable Tracer tracer() {
        return tracer;
    }

    /** Share of requests without a parent that are to be traced. */
    public double sample() {
        return sample;
    }

    /** W3C: {@code traceparent} and {@code tracestate}. */
    public TextMapPropagator propagator() {
        return W3CTraceContextPropagator.getInstance();
    }

    /** Sends what is queued, for 2 s at most. Blocks: not for an event loop. */
    @Override
    public void close() {
        if (provider != null) provider.shutdown().join(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
