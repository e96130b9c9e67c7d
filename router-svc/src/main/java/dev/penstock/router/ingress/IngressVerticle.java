package dev.penstock.router.ingress;

import dev.penstock.core.view.FleetView;
import dev.penstock.kit.management.Readiness;
import dev.penstock.router.account.Arrivals;
import dev.penstock.router.account.OutcomeCounters;
import dev.penstock.router.account.OutcomeRecorder;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.router.relay.Upstreams;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One traffic listener per event loop, all on one port. Lifecycle only. */
public final class IngressVerticle extends VerticleBase {
    private static final long OUTCOMES_MILLIS = 250;

    private final RouterConfig config;
    private final FleetView view;
    private final Readiness readiness;
    private final BodyMemory memory;
    private final RequestIds ids;
    private final ModelNames names;
    private final Arrivals arrivals;
    private final OutcomeCounters counters;
    private final Consumer<OutcomeRecorder> publish;
    private final LongSupplier nanoClock;
    private final Consumer<IngressVerticle> started;
    private HttpServer server;
    private Upstreams upstreams;

    /** @param publish called on this event loop with what is to be drained */
    @SuppressWarnings("NullAway.Init") // set in start, before anything else is called
    public IngressVerticle(
            RouterConfig config,
            FleetView view,
            Readiness readiness,
            BodyMemory memory,
            RequestIds ids,
            ModelNames names,
            Arrivals arrivals,
            OutcomeCounters counters,
            Consumer<OutcomeRecorder> publish,
            LongSupplier nanoClock,
            Consumer<IngressVerticle> started) {
        this.config = config;
        this.view = view;
        this.readiness = readiness;
        this.memory = memory;
        this.ids = ids;
        this.names = names;
        this.arrivals = arrivals;
        this.counters = counters;
        this.publish = publish;
        this.nanoClock = nanoClock;
        this.started = started;
    }

    @Override
    public Future<?> start() {
        SplittableRandom random = new SplittableRandom();
        OutcomeRecorder outcomes = new OutcomeRecorder(random, counters);
        upstreams = new Upstreams(vertx, view, outcomes, arrivals, random, nanoClock);
        vertx.setPeriodic(OUTCOMES_MILLIS, timer -> publish.accept(outcomes));
        server = vertx.createHttpServer(new HttpServerOptions()
                .setHost(config.host())
                .setPort(config.port())
                .setTcpNoDelay(true)
                .setHandle100ContinueAutomatically(true)
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(false));
        server.requestHandler(new TrafficHandler(
                new CompletionHandler(memory, config.maxBody(), ids, names, upstreams),
                new ModelsHandler(view, names, System.currentTimeMillis() / 1000),
                readiness));
        return server.listen().onSuccess(listening -> started.accept(this));
    }

    public int port() {
        return server.actualPort();
    }

    /** Takes no new requests and lets running ones end; {@code close} would cut live streams. */
    public Future<Void> drain(long graceSeconds) {
        return server.shutdown(graceSeconds, TimeUnit.SECONDS);
    }
}
