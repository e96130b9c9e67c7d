package dev.penstock.router.ingress;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.DecisionRing;
import dev.penstock.router.account.OutcomeRecorder;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.router.job.FollowUps;
import dev.penstock.router.job.JobIds;
import dev.penstock.router.job.JobListing;
import dev.penstock.router.job.JobRewrites;
import dev.penstock.router.job.Previous;
import dev.penstock.router.prefix.PrefixNews;
import dev.penstock.router.realtime.RealtimeHandler;
import dev.penstock.router.relay.Upstreams;
import dev.penstock.router.relay.Wishes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One traffic listener per event loop, all on one port. Lifecycle only. */
public final class IngressVerticle extends VerticleBase {
    private static final long OUTCOMES_MILLIS = 250;
    private static final long FAILURES_MILLIS = 10;
    private static final long NEWS_MILLIS = 100;
    private static final long CONNECTIONS_MILLIS = 1_000;
    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    private final IngressParts parts;
    private final Consumer<OutcomeRecorder> publish;
    private final Consumer<PrefixNews.Batch> publishNews;
    private final Consumer<IngressVerticle> started;
    private final DecisionRing decisions = new DecisionRing();
    private HttpServer server;
    private OutcomeRecorder outcomes;
    private Upstreams upstreams;
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
        JobIds jobIds = parts.jobs().ids();
        JobRewrites rewrites = new JobRewrites(jobIds, parts.jobs().index());
        outcomes = new OutcomeRecorder(random, parts.counters(), this::publishSoon);
        upstreams = new Upstreams(
                vertx,
                parts.view(),
                decisions,
                parts.decisionCounters(),
                outcomes,
                parts.relayCounters(),
                parts.arrivals(),
                parts.demand(),
                parts.rates(),
                parts.policies(),
                parts.strategies(),
                new Wishes(
                        parts.sessions(),
                        parts.pins(),
                        parts.prefixModes(),
                        parts.prefixes(),
                        news,
                        parts.prefixCounters()),
                rewrites,
                random,
                parts.nanoClock());
        vertx.setPeriodic(OUTCOMES_MILLIS, timer -> publish.accept(outcomes));
        vertx.setPeriodic(NEWS_MILLIS, timer -> {
            if (!news.isEmpty()) publishNews.accept(news.drain());
        });
        Gate gate = new Gate(parts.authenticator().local());
        Connections connections =
                new Connections(upstreams.watch(), parts.nanoClock().getAsLong());
        vertx.setPeriodic(
                CONNECTIONS_MILLIS, timer -> connections.look(parts.nanoClock().getAsLong()));
        server = vertx.createHttpServer(ListenerOptions.of(config));
        server.connectionHandler(connection -> {
            upstreams.turnFlush().hold(connection);
            connections.opened(connection);
        });
        server.invalidRequestHandler(InvalidRequests::answer);
        server.requestHandler(new TrafficHandler(
                new CompletionHandler(
                        parts.memory(),
                        new BodyLimits(config.maxBody()),
                        parts.ids(),
                        parts.names(),
                        upstreams,
                        new Previous(parts.view(), jobIds),
                        gate,
                        parts.traces(),
                        parts.sessions()::fields),
                new UploadHandler(
                        parts.memory(),
                        new BodyLimits(config.maxBody()),
                        parts.ids(),
                        parts.names(),
                        upstreams,
                        gate,
                        parts.traces()),
                new RealtimeHandler(upstreams, gate, parts.names()::resolve, parts.ids()::next, parts.ids()::of),
                new ModelsHandler(parts.view(), parts.names(), gate, System.currentTimeMillis() / 1000),
                new JobsHandler(
                        parts.ids(),
                        gate,
                        new FollowUps(parts.view(), jobIds, rewrites, parts.jobs(), upstreams),
                        new JobListing(parts.jobs()),
                        upstreams),
                parts.readiness(),
                connections,
                upstreams.watch()));
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

    /**
     * Takes no new requests and lets running ones end; {@code close} would cut live streams. What still runs at the end of the
     * grace is told so in its stream.
     */
    public Future<Void> drain(Duration grace) {
        long lastWords = Math.max(1, grace.minus(LAST_WORDS).toMillis());
        context.runOnContext(
                v -> vertx.setTimer(lastWords, timer -> upstreams.watch().stop()));
        return server.shutdown(Math.max(1, grace.toMillis()), TimeUnit.MILLISECONDS);
    }

    /** Requests that may still run though nobody waits; to be read from anywhere, as of about now. */
    public int lingering() {
        return upstreams.lingering();
    }

    /** Requests that run now; to be read from anywhere, as of about now. */
    public int running() {
        return upstreams.running();
    }
}
