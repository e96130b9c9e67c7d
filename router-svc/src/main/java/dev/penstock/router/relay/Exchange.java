package dev.penstock.router.relay;

import dev.penstock.core.pick.Affinity;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.rate.Gcra;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.model.Outcome;
import dev.penstock.model.PoolId;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.explain.ReasonCode;
import dev.penstock.router.ingress.ApiError;
import dev.penstock.router.ingress.BodyFacts;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * One client request from its decision to its end, over one or more attempts. A request that no engine has seen a byte of
 * is tried elsewhere when a connect fails; one whose pooled connection was reset before any answer is tried elsewhere
 * once. After that it is the engine's. Lives on one event loop.
 */
public final class Exchange {
    /** Images make bodies large, not prompts: no common context is longer. */
    private static final long MOST_PROMPT_TOKENS = 131_072;

    private static final String STRATEGY_HEADER = "routing-strategy";

    private final Upstreams upstreams;
    private final HttpServerRequest client;
    private final long number;
    private final String id;
    private final Buffer body;
    private final String model;
    private final boolean stream;
    private final Runnable releaseBody;
    private final PickRule rule;
    private final Routing routing;
    private final Wish wish;
    private final long startedNanos;
    private @Nullable Attempt attempt;
    private @Nullable PoolId pool;
    private boolean resetRetried;
    private boolean degraded;
    private boolean clientGone;
    private boolean ended;

    /**
     * @param number the one in the id
     * @param facts what the body says, until the event loop's next one
     * @param releaseBody called when the request is over
     */
    public Exchange(
            Upstreams upstreams,
            HttpServerRequest client,
            long number,
            String id,
            Buffer body,
            String model,
            boolean stream,
            BodyFacts facts,
            Runnable releaseBody) {
        this.upstreams = upstreams;
        this.client = client;
        this.number = number;
        this.id = id;
        this.body = body;
        this.model = model;
        this.stream = stream;
        this.releaseBody = releaseBody;
        this.rule = upstreams
                .strategies
                .of(model, client.getHeader(STRATEGY_HEADER))
                .rule();
        this.routing = new Routing(upstreams.shortlist);
        this.startedNanos = upstreams.nanoClock.getAsLong();
        this.wish = upstreams.wishes.of(model, rule, client.headers(), facts, startedNanos);
    }

    public void start() {
        client.response().exceptionHandler(gone -> clientLeft());
        client.response().closeHandler(gone -> clientLeft());
        pool = upstreams.view.current().poolOf(model);
        if (pool != null) {
            upstreams.arrivals.arrived(pool);
            upstreams.demand.arrived(model, pool);
        }
        Gcra gate = upstreams.rates.gate(model);
        if (gate != null && !gate.tryAcquire(startedNanos)) {
            ended(DemandLedger.Ending.SHED);
            ApiError.rateLimited(model, gate.waitNanos(startedNanos), upstreams.random)
                    .send(client.response());
            return;
        }
        next();
    }

    private void next() {
        RosterImage view = upstreams.view.current();
        long now = upstreams.nanoClock.getAsLong();
        Affinity affinity = upstreams.wishes.affinity(wish, now);
        upstreams.policy.route(view, model, rule, affinity, now, upstreams.random, routing);
        upstreams.decisions.record(number, view.version(), now, routing);
        upstreams.decisionCounters.decided(routing);
        degraded = routing.shortlist().degraded();
        ReplicaEntry replica = routing.replica();
        if (replica == null) {
            ended(DemandLedger.Ending.FAILED);
            ApiError.refused(routing.reason(), model).send(client.response());
            return;
        }
        upstreams.wishes.routed(model, wish, replica.replica().number(), now);
        URI endpoint = URI.create(replica.replica().endpoint());
        int port = endpoint.getPort() < 0 ? 80 : endpoint.getPort();
        Attempt next = new Attempt(this, upstreams, replica);
        attempt = next;
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(port, endpoint.getHost()))
                .setHost(endpoint.getHost())
                .setPort(port)
                .setURI(client.uri());
        upstreams.connect(options).onComplete(request -> send(next, request), failure -> next.connectFailed());
    }

    private void send(Attempt now, HttpClientRequest request) {
        if (clientGone) {
            request.reset();
            now.neverSent();
            return;
        }
        ForwardedHeaders.toEngine(client.headers(), request.headers());
        request.putHeader("x-request-id", id + "-a" + routing.attempts());
        now.send(request, body);
    }

    /** The attempt ended before an engine saw the request: somebody else may have it. */
    void tryElsewhere() {
        if (clientGone) ended(DemandLedger.Ending.CANCELLED);
        else next();
    }

    /** A pooled connection was reset before any answer: the engine closed it while idle. Once. */
    boolean mayRetryReset() {
        boolean first = !resetRetried;
        resetRetried = true;
        return first && !clientGone;
    }

    /** The request is over, once, whatever it was; its demand is booked. */
    void ended(DemandLedger.Ending ending) {
        if (ended) return;
        ended = true;
        releaseBody.run();
        if (pool != null) {
            upstreams.demand.ended(model, pool, ending, upstreams.nanoClock.getAsLong() - startedNanos);
        }
    }

    /** How an outcome is booked as demand. */
    static DemandLedger.Ending endingOf(Outcome outcome) {
        return switch (outcome) {
            case OK -> DemandLedger.Ending.COMPLETED;
            case CLIENT_ABORT -> DemandLedger.Ending.CANCELLED;
            case BACKPRESSURE -> DemandLedger.Ending.SHED;
            case DEADLINE -> DemandLedger.Ending.EXPIRED;
            case UNKNOWN, CLIENT_ERROR, REPLICA_ERROR, INCOMPLETE_STREAM, STALLED -> DemandLedger.Ending.FAILED;
        };
    }

    private void clientLeft() {
        if (ended || clientGone) return;
        clientGone = true;
        ended(DemandLedger.Ending.CANCELLED);
        if (attempt != null) attempt.cancel();
    }

    boolean clientGone() {
        return clientGone;
    }

    HttpServerRequest client() {
        return client;
    }

    /** A token has some four bytes: enough to tell a long prompt from a short one. */
    long promptTokens() {
        return Math.min(body.length() / 4, MOST_PROMPT_TOKENS);
    }

    boolean streams() {
        return stream;
    }

    String decision() {
        String code = ReasonCode.of(routing.reason(), rule.name());
        return degraded ? code + ";degraded=telemetry" : code;
    }

    long startedNanos() {
        return startedNanos;
    }

    /** What a status says of the replica, before anything else is known. */
    static Outcome outcomeOf(int status) {
        if (status == 429 || status == 503) return Outcome.BACKPRESSURE;
        if (status >= 500) return Outcome.REPLICA_ERROR;
        return status >= 400 ? Outcome.CLIENT_ERROR : Outcome.OK;
    }
}
