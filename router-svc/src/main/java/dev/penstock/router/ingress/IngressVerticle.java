package dev.penstock.router.ingress;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.DecisionRing;
import dev.penstock.router.account.OutcomeRecorder;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.router.prefix.PrefixNews;
import dev.penstock.router.relay.Upstreams;
import dev.penstock.router.relay.Wishes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One traffic listener per event loop, all on one port. Lifecycle only. */
public final class IngressVerticle extends VerticleBase {
    private static final long OUTCOMES_MILLIS = 250;
    private static final long FAILURES_MILLIS = 10;
    private static final long NEWS_MILLIS = 100;

    private final IngressParts parts;
    private final Consumer<OutcomeRecorder> publish;
    private final Consumer<PrefixNews.Batch> publishNews;
    private final Consumer<IngressVerticle> started;
    private final DecisionRing decisions = new DecisionRing();
    private HttpServer server;
    private OutcomeRecorder outcomes;
    private boolean publishing;

    /**
     * @param publish called on this event loop with what is to be drained
     * @param publishNews called on this event loop with what other routers are to be told of prefixes
     */
    @SuppressWarnings("NullAway.Init") // set in start, before anything else is called
    public IngressVerticle(
            IngressParts parts,
            Consumer<OutcomeRecorder> publish,
            Consumer<PrefixNews.Batch> publishNews,
            Consumer<IngressVerticle> started) {
        this.parts = parts;
        this.publish = publish;
        this.publishNews = publishNews;
        this.started = started;
    }

    @Override
    public Future<?> start() {
        RouterConfig config = parts.config();
        SplittableRandom random = new SplittableRandom();
        PrefixNews news = new PrefixNews(parts.prefixes());
        outcomes = new OutcomeRecorder(random, parts.counters(), this::publishSoon);
        Upstreams upstreams = new Upstreams(
                vertx,
                parts.view(),
                decisions,
                parts.decisionCounters(),
                outcomes,
                parts.arrivals(),
                parts.demand(),
                parts.rates(),
                parts.strategies(),
                new Wishes(
                        parts.sessions(),
                        parts.pins(),
                        parts.prefixModes(),
                        parts.prefixes(),
                        news,
                        parts.prefixCounters()),
                random,
                parts.nanoClock());
        vertx.setPeriodic(OUTCOMES_MILLIS, timer -> publish.accept(outcomes));
        vertx.setPeriodic(NEWS_MILLIS, timer -> {
            if (!news.isEmpty()) publishNews.accept(news.drain());
        });
        server = vertx.createHttpServer(new HttpServerOptions()
                .setHost(config.host())
                .setPort(config.port())
                .setTcpNoDelay(true)
                .setHandle100ContinueAutomatically(true)
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(false));
        server.requestHandler(new TrafficHandler(
                new CompletionHandler(
                        parts.memory(),
                        config.maxBody(),
                        parts.ids(),
                        parts.names(),
                        upstreams,
                        parts.sessions()::fields),
                new ModelsHandler(parts.view(), parts.names(), System.currentTimeMillis() / 1000),
                parts.readiness()));
        return server.listen().onSuccess(listening -> started.accept(this));
    }

    /** Failures that come together are told together. */
    private void publishSoon() {
        if (publishing) return;
        publishing = true;
        vertx.setTimer(FAILURES_MILLIS, timer -> {
            publishing = false;
            publish.accept(outcomes);
        });
    }

    public int port() {
        return server.actualPort();
    }

    /** What this event loop remembers of a request's decisions; looked up on that loop. */
    public Future<List<Decision>> decisionsOf(long request) {
        Promise<List<Decision>> found = Promise.promise();
        context.runOnContext(v -> found.complete(decisions.of(request)));
        return found.future();
    }

    /** Takes no new requests and lets running ones end; {@code close} would cut live streams. */
    public Future<Void> drain(long graceSeconds) {
        return server.shutdown(graceSeconds, TimeUnit.SECONDS);
    }
}
