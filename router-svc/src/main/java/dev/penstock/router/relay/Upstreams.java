package dev.penstock.router.relay;

import dev.penstock.core.explain.DecisionRing;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.pick.Shortlist;
import dev.penstock.core.view.FleetView;
import dev.penstock.router.account.Arrivals;
import dev.penstock.router.account.DecisionCounters;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.account.OutcomeRecorder;
import dev.penstock.router.ingress.ModelStrategies;
import dev.penstock.router.limit.RateLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What every exchange of one event loop shares: the view, the policy and a client whose connections live on that loop.
 * Engines close idle connections after 5 s, so ours are gone after 3 s.
 */
public final class Upstreams {
    private static final int IDLE_SECONDS = 3;
    private static final int CONNECT_MILLIS = 1_000;
    /** Per engine and event loop; more than an engine's largest batch (1,024) helps nobody. */
    private static final int CONNECTIONS = 2_048;

    final FleetView view;
    final RoutingPolicy policy = new RoutingPolicy();
    final Shortlist shortlist = new Shortlist();
    final DecisionRing decisions;
    final DecisionCounters decisionCounters;
    final OutcomeRecorder outcomes;
    final Arrivals arrivals;
    final DemandLedger demand;
    final RateLimits rates;
    final ModelStrategies<PickRule> strategies;
    final Wishes wishes;
    final RandomGenerator random;
    final LongSupplier nanoClock;
    private final HttpClientAgent client;
    private final Set<HttpConnection> used = Collections.newSetFromMap(new WeakHashMap<>());

    public Upstreams(
            Vertx vertx,
            FleetView view,
            DecisionRing decisions,
            DecisionCounters decisionCounters,
            OutcomeRecorder outcomes,
            Arrivals arrivals,
            DemandLedger demand,
            RateLimits rates,
            ModelStrategies<PickRule> strategies,
            Wishes wishes,
            RandomGenerator random,
            LongSupplier nanoClock) {
        this.view = view;
        this.decisions = decisions;
        this.decisionCounters = decisionCounters;
        this.outcomes = outcomes;
        this.arrivals = arrivals;
        this.demand = demand;
        this.rates = rates;
        this.strategies = strategies;
        this.wishes = wishes;
        this.random = random;
        this.nanoClock = nanoClock;
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setKeepAliveTimeout(IDLE_SECONDS)
                        .setConnectTimeout(CONNECT_MILLIS)
                        .setPipelining(false)
                        .setDecompressionSupported(false)
                        .setTcpNoDelay(true),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(CONNECTIONS));
    }

    /** A request on a connection, new or pooled; fails when no connection could be made. */
    Future<HttpClientRequest> connect(RequestOptions options) {
        return client.request(options);
    }

    /** True when the connection has carried a request before: only then may a reset mean "closed while idle". */
    boolean isReused(HttpConnection connection) {
        return !used.add(connection);
    }

    /** Lets running exchanges end, for as long as the grace lasts. */
    public Future<Void> shutdown(long graceSeconds) {
        return client.shutdown(graceSeconds, TimeUnit.SECONDS);
    }
}
