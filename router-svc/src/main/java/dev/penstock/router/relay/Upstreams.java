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
import dev.penstock.router.account.RelayCounters;
import dev.penstock.router.ingress.ModelStrategies;
import dev.penstock.router.limit.RateLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What every exchange of one event loop shares: the view, the policy and a client whose connections live on that loop.
 * Engines close idle connections after 5 s, so ours are gone after 3 s.
 */
public final class Upstreams {
    static final int IDLE_SECONDS = 3;
    private static final int CONNECT_MILLIS = 1_000;
    /** Per engine and event loop; more than an engine's largest batch (1,024) helps nobody. */
    private static final int CONNECTIONS = 2_048;
    /** Chunks of streams are smaller; larger ones are read in parts. */
    private static final int SCRATCH_BYTES = 16 << 10;
    /** Endpoints come from the roster; those that are gone are forgotten together. */
    private static final int MOST_ADDRESSES = 8_192;

    private static final int HTTP_PORT = 80;
    private static final long ABORT_MILLIS = 5_000;

    final FleetView view;
    final RoutingPolicy policy = new RoutingPolicy();
    final Shortlist shortlist = new Shortlist();
    final DecisionRing decisions;
    final DecisionCounters decisionCounters;
    final OutcomeRecorder outcomes;
    final RelayCounters relayCounters;
    final Arrivals arrivals;
    final DemandLedger demand;
    final RateLimits rates;
    final RelayPolicies policies;
    final ModelStrategies<PickRule> strategies;
    final Wishes wishes;
    final AnswerRewrites rewrites;
    final RandomGenerator random;
    final LongSupplier nanoClock;
    final Watch watch = new Watch();
    private final TurnFlush turnFlush = new TurnFlush();
    final Lingering lingering;
    final byte[] scratch = new byte[SCRATCH_BYTES];
    private final Context context;
    private final HttpClientAgent client;
    private final HttpClientAgent freshClient;
    /** Of connections that become something else: what is never pooled was never closed while idle. */
    private final HttpClientAgent upgradeClient;

    private final Map<HttpConnection, Line> connectionToLine = new WeakHashMap<>();
    private final Map<String, SocketAddress> endpointToAddress = new HashMap<>();

    public Upstreams(
            Vertx vertx,
            FleetView view,
            DecisionRing decisions,
            DecisionCounters decisionCounters,
            OutcomeRecorder outcomes,
            RelayCounters relayCounters,
            Arrivals arrivals,
            DemandLedger demand,
            RateLimits rates,
            RelayPolicies policies,
            ModelStrategies<PickRule> strategies,
            Wishes wishes,
            AnswerRewrites rewrites,
            RandomGenerator random,
            LongSupplier nanoClock) {
        this.view = view;
        this.lingering = new Lingering(view);
        this.decisions = decisions;
        this.decisionCounters = decisionCounters;
        this.outcomes = outcomes;
        this.relayCounters = relayCounters;
        this.arrivals = arrivals;
        this.demand = demand;
        this.rates = rates;
        this.policies = policies;
        this.strategies = strategies;
        this.wishes = wishes;
        this.rewrites = rewrites;
        this.random = random;
        this.nanoClock = nanoClock;
        this.context = vertx.getOrCreateContext();
        PoolOptions pool = new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(CONNECTIONS);
        this.client = client(vertx, options(), pool);
        this.freshClient = client(vertx, options().setKeepAlive(false), pool);
        this.upgradeClient = client(vertx, options(), pool);
        vertx.setPeriodic(Watch.MILLIS, timer -> {
            long now = nanoClock.getAsLong();
            watch.look(now);
            lingering.look(now);
        });
    }

    private HttpClientAgent client(Vertx vertx, HttpClientOptions options, PoolOptions pool) {
        return vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(connection -> {
                    // Each request on it is told by itself; unheard, it would be a line in the log.
                    connection.exceptionHandler(broken -> {});
                    Wire.readWhole(connection);
                    turnFlush.hold(connection);
                })
                .build();
    }

    private static HttpClientOptions options() {
        return new HttpClientOptions()
                .setKeepAliveTimeout(IDLE_SECONDS)
                .setConnectTimeout(CONNECT_MILLIS)
                .setPipelining(false)
                .setDecompressionSupported(false)
                .setTcpNoDelay(true);
    }

    /** Runs it once what the sockets have for this turn of the loop has been read. */
    public void soon(Runnable later) {
        context.runOnContext(v -> later.run());
    }

    /** The limits in time of what runs on this loop. */
    public Watch watch() {
        return watch;
    }

    /** When this loop's connections send. */
    public TurnFlush turnFlush() {
        return turnFlush;
    }

    public RelayPolicies policies() {
        return policies;
    }

    public RandomGenerator random() {
        return random;
    }

    public LongSupplier nanoClock() {
        return nanoClock;
    }

    /** Requests that run, and those that may still run at an engine though nobody waits. */
    public int running() {
        return watch.count() + lingering.count();
    }

    /** Requests that nobody waits for, of {@link #running}. */
    public int lingering() {
        return lingering.count();
    }

    /** A request on a connection, new or (unless fresh) pooled; fails when no connection could be made. */
    Future<HttpClientRequest> connect(String endpoint, String uri, boolean fresh) {
        return connect(fresh ? freshClient : client, HttpMethod.POST, endpoint, uri);
    }

    Future<HttpClientRequest> connect(HttpMethod method, String endpoint, String uri, boolean fresh) {
        return connect(fresh ? freshClient : client, method, endpoint, uri);
    }

    /** As {@link #connect}, for a request that makes the connection something else. */
    Future<HttpClientRequest> upgrade(String endpoint, String uri) {
        return connect(upgradeClient, HttpMethod.GET, endpoint, uri);
    }

    private Future<HttpClientRequest> connect(HttpClientAgent by, HttpMethod method, String endpoint, String uri) {
        SocketAddress address = address(endpoint);
        return by.request(new RequestOptions()
                .setMethod(method)
                .setServer(address)
                .setHost(address.host())
                .setPort(address.port())
                .setURI(uri));
    }

    SocketAddress address(String endpoint) {
        SocketAddress known = endpointToAddress.get(endpoint);
        if (known != null) return known;
        if (endpointToAddress.size() == MOST_ADDRESSES) endpointToAddress.clear();
        URI uri = URI.create(endpoint);
        SocketAddress address =
                SocketAddress.inetSocketAddress(uri.getPort() < 0 ? HTTP_PORT : uri.getPort(), uri.getHost());
        endpointToAddress.put(endpoint, address);
        return address;
    }

    /** SGLang stops a request that it is told to stop by name; whether it heard shows in its connection. */
    void abortByName(String endpoint, String upstreamId) {
        connect(endpoint, "/abort_request", false)
                .compose(request -> {
                    line(request.connection()).next();
                    // An engine that hangs must not keep a connection for each client that left it.
                    return request.idleTimeout(ABORT_MILLIS)
                            .putHeader("content-type", "application/json")
                            .send(Buffer.buffer("{\"rid\":\"" + upstreamId + "\"}"));
                })
                .onSuccess(response -> response.handler(ignored -> {}));
    }

    Line line(HttpConnection connection) {
        Line known = connectionToLine.get(connection);
        if (known != null) return known;
        Line line = new Line();
        connectionToLine.put(connection, line);
        return line;
    }

    /** Lets running exchanges end, for as long as the grace lasts. */
    public Future<Void> shutdown(long graceSeconds) {
        return Future.join(
                        client.shutdown(graceSeconds, TimeUnit.SECONDS),
                        freshClient.shutdown(graceSeconds, TimeUnit.SECONDS),
                        upgradeClient.shutdown(graceSeconds, TimeUnit.SECONDS))
                .mapEmpty();
    }
}
