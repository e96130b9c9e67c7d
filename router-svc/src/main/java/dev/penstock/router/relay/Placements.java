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
import dev.penstock.router.api.ApiError;
import dev.penstock.router.body.BodyFacts;
import dev.penstock.router.explain.ReasonCode;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Where one session goes: one replica after the other, until one takes it. The same rules as for requests with a body. */
public final class Placements {
    private static final BodyFacts NO_BODY = new BodyFacts();

    private final Upstreams upstreams;
    private final long number;
    private final String model;
    private final PickRule rule;
    private final Routing routing;
    private final Wish wish;
    private final long startedNanos;
    private DemandLedger.@Nullable Model demand;
    private boolean degraded;
    private boolean ended;

    /**
     * @param number the one in the request's id
     * @param model as its engines call it
     */
    public Placements(Upstreams upstreams, HttpServerRequest client, long number, String model) {
        this.upstreams = upstreams;
        this.number = number;
        this.model = model;
        this.rule = upstreams
                .strategies
                .of(model, client.headers().get(Exchange.STRATEGY_HEADER))
                .rule();
        this.routing = new Routing(upstreams.shortlist);
        this.startedNanos = upstreams.nanoClock.getAsLong();
        this.wish = upstreams.wishes.of(model, rule, client.headers(), NO_BODY, startedNanos);
    }

    /** Counts the session; tells why it is refused before any decision, or null. */
    public @Nullable ApiError arrive() {
        PoolId pool = upstreams.view.current().poolOf(model);
        if (pool != null) {
            upstreams.arrivals.arrived(pool);
            demand = upstreams.demand.arrived(model, pool);
        }
        upstreams.policies.budget(model).request(startedNanos);
        Gcra gate = upstreams.rates.gate(model);
        if (gate == null || gate.tryAcquire(startedNanos)) return null;
        return ApiError.rateLimited(model, gate.waitNanos(startedNanos), upstreams.random);
    }

    /** Null when there is nobody to send to. */
    public @Nullable Placement next() {
        for (int lost = 0; lost < Exchange.MOST_LOST; lost++) {
            ReplicaEntry replica = decided();
            if (replica == null) return null;
            if (replica.cell().admit())
                return new Placement(upstreams, replica, routing.attempts(), upstreams.nanoClock.getAsLong());
            // A trial that it took is somebody else's.
            replica.cell().endedNeutrally();
            routing.notSent();
        }
        return null;
    }

    private @Nullable ReplicaEntry decided() {
        RosterImage view = upstreams.view.current();
        long now = upstreams.nanoClock.getAsLong();
        Affinity affinity = upstreams.wishes.affinity(wish, now);
        upstreams.policy.route(view, model, rule, affinity, now, upstreams.random, routing);
        upstreams.decisions.record(number, view.version(), now, routing);
        upstreams.decisionCounters.decided(routing);
        degraded = routing.shortlist().degraded();
        ReplicaEntry replica = routing.replica();
        if (replica != null)
            upstreams.wishes.routed(model, wish, replica.replica().number(), now);
        return replica;
    }

    /** The next one where the last one failed, or null where nobody is left or too much was tried again lately. */
    public @Nullable Placement elsewhere(boolean connectFailed) {
        if (ended || routing.attempts() >= Routing.MAX_ATTEMPTS) return null;
        if (!upstreams.policies.budget(model).tryRetry(upstreams.nanoClock.getAsLong())) {
            upstreams.relayCounters.budgetSpent();
            return null;
        }
        Placement next = next();
        if (next != null) {
            upstreams.relayCounters.retried(connectFailed ? Exchange.Failure.CONNECT : Exchange.Failure.RESET);
        }
        return next;
    }

    /** What the client is told where there was nobody. */
    public ApiError refusal() {
        return ApiError.refused(routing.reason(), model);
    }

    /** What a session that nobody was found for ended with. */
    public Outcome refusedAs() {
        return routing.reason() == Routing.Reason.NO_SLOT ? Outcome.BACKPRESSURE : Outcome.REPLICA_ERROR;
    }

    public String decision() {
        String code = ReasonCode.of(routing.reason(), rule.name());
        return degraded ? code + ";degraded=telemetry" : code;
    }

    /** The session is over, once; its demand is booked. */
    public void ended(Outcome outcome) {
        if (ended) return;
        ended = true;
        if (demand == null) return;
        demand.ended(Exchange.endingOf(outcome), upstreams.nanoClock.getAsLong() - startedNanos);
    }
}
