package dev.penstock.router.relay;

import dev.penstock.core.pick.Affinity;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.rate.Gcra;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.model.Outcome;
import dev.penstock.model.PoolId;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RetryOn;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.body.BodyFacts;
import dev.penstock.router.explain.ReasonCode;
import dev.penstock.router.trace.RequestTrace;
import dev.penstock.router.trace.RouteTrace;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One client request from its decision to its end, over one or more attempts. Before the first byte of an answer has reached
 * the client it may be tried elsewhere: when a connect failed, when a pooled connection was reset before any answer, once when
 * an engine said that it is full, and where the operator allows more. After that the answer is the engine's. Lives on one event
 * loop.
 */
public final class Exchange extends Watch.Member {
    /** Images make bodies large, not prompts: no common context is longer. */
    private static final long MOST_PROMPT_TOKENS = 131_072;

    /** Decisions in a row whose replica's last slot another event loop took before this one did. */
    static final int MOST_LOST = 4;

    /** Numbers of replicas are positive. */
    private static final int ANYBODY = 0;

    static final AsciiString STRATEGY_HEADER = AsciiString.cached("routing-strategy");

    private final Upstreams upstreams;
    private final Asked asked;
    private final Cargo cargo;
    private final ModelRelay relay;
    private final PickRule rule;
    private final Routing routing;
    private final Wish wish;
    private final long startedNanos;
    private final long deadlineNanos;
    private final ToClient toClient;
    /** The number of the one replica that may have it, or {@link #ANYBODY}. */
    private int bound = ANYBODY;

    private @Nullable Attempt attempt;
    private int attempts;
    /** Null for a model that nobody serves. */
    private DemandLedger.@Nullable Model demand;

    private @Nullable Outcome outcome;
    private boolean resetRetried;
    private boolean fullRetried;
    private boolean degraded;
    private boolean clientGone;
    private boolean ended;

    /** @param facts what the body says, until the event loop's next one */
    public Exchange(Upstreams upstreams, Asked asked, Cargo cargo, BodyFacts facts) {
        this.upstreams = upstreams;
        this.asked = asked;
        this.cargo = cargo;
        this.relay = upstreams.policies.relay(asked.model());
        this.rule = upstreams
                .strategies
                .of(asked.model(), asked.client().headers().get(STRATEGY_HEADER))
                .rule();
        this.routing = new Routing(upstreams.shortlist);
        this.startedNanos = upstreams.nanoClock.getAsLong();
        this.deadlineNanos =
                Deadline.of(asked.client().headers(), asked.contract().deadlineMillis(), asked.stream());
        this.wish = upstreams.wishes.of(asked.model(), rule, asked.client().headers(), facts, startedNanos);
        this.toClient = new ToClient(asked, upstreams.watch, asked.contract().commitAfterMillis());
    }

    /** Only that replica has what the request goes on from: it is sent there, or to nobody. */
    public void boundTo(int replica) {
        bound = replica;
    }

    public void start() {
        HttpServerResponse response = asked.client().response();
        response.exceptionHandler(gone -> clientLeft());
        response.closeHandler(gone -> clientLeft());
        RequestTrace trace = asked.trace();
        if (trace != null) response.endHandler(over -> trace.ended(response.getStatusCode(), outcome));
        PoolId pool = upstreams.view.current().poolOf(asked.model());
        upstreams.watch.join(this);
        if (pool != null) {
            upstreams.arrivals.arrived(pool);
            demand = upstreams.demand.arrived(asked.model(), pool);
        }
        try {
            begin();
        } catch (RuntimeException bug) {
            ended(DemandLedger.Ending.FAILED);
            if (attempt != null) attempt.stop(Outcome.CLIENT_ABORT);
            throw bug;
        }
    }

    private void begin() {
        relay.budget().request(startedNanos);
        Gcra gate = upstreams.rates.gate(asked.model());
        if (gate != null && !gate.tryAcquire(startedNanos)) {
            ended(DemandLedger.Ending.SHED);
            toClient.refuse(ApiError.rateLimited(asked.model(), gate.waitNanos(startedNanos), upstreams.random));
            return;
        }
        if (upstreams.watch.stopped()) {
            stopping();
            return;
        }
        if (!next()) {
            boolean shed = routing.reason() == Routing.Reason.NO_SLOT;
            ended(shed ? DemandLedger.Ending.SHED : DemandLedger.Ending.FAILED);
            toClient.refuse(ApiError.refused(routing.reason(), asked.model()));
        }
    }

    /** Decides, takes a slot and sends; returns false when there is nobody to send to. */
    private boolean next() {
        for (int lost = 0; lost < MOST_LOST; lost++) {
            ReplicaEntry replica = decided();
            if (replica == null) return false;
            if (replica.cell().admit()) {
                send(replica, cargo.sentOnce());
                return true;
            }
            // A trial that it took is somebody else's.
            replica.cell().endedNeutrally();
            routing.notSent();
        }
        return false;
    }

    private @Nullable ReplicaEntry decided() {
        RosterImage view = upstreams.view.current();
        long now = upstreams.nanoClock.getAsLong();
        RouteTrace traced = asked.trace() == null ? null : asked.trace().route(rule.name());
        Affinity affinity = upstreams.wishes.affinity(wish, now);
        if (bound == ANYBODY) {
            upstreams.policy.route(view, asked.model(), rule, affinity, now, upstreams.random, routing);
        } else {
            upstreams.policy.routeTo(view, asked.model(), rule, bound, now, upstreams.random, routing);
        }
        upstreams.decisions.record(asked.number(), view.version(), now, routing);
        upstreams.decisionCounters.decided(routing);
        degraded = routing.shortlist().degraded();
        ReplicaEntry replica = routing.replica();
        if (traced != null) traced(traced, replica);
        if (replica != null)
            upstreams.wishes.routed(asked.model(), wish, replica.replica().number(), now);
        return replica;
    }

    /** @param replica where a slot was taken for it */
    private void send(ReplicaEntry replica, boolean fresh) {
        Attempt next = new Attempt(this, upstreams, replica, ++attempts, fresh);
        attempt = next;
        next.start();
    }

    private void traced(RouteTrace traced, @Nullable ReplicaEntry replica) {
        String name = replica == null ? null : replica.replica().name();
        traced.decided(
                ReasonCode.of(routing.reason(), rule.name()), name, routing.candidates(), routing.excluded(), degraded);
    }

    /** Why an attempt ended without an answer that must be the client's. */
    enum Failure {
        /** No byte was sent. */
        CONNECT,
        /** A pooled connection was reset before any answer: the engine closed it while idle. */
        REUSED_RESET,
        RESET,
        /** 429 or 503, as a status or as a stream's first event. */
        FULL,
        STATUS_500,
        STATUS_502,
        STATUS_504
    }

    /** Names of the reasons for which a request is tried elsewhere. */
    public static Enum<?>[] failures() {
        return Failure.values();
    }

    /**
     * Sends it to the same replica again, once, on a new connection: the pooled one was reset before any answer, because the
     * engine closed it while it was idle. That says nothing of the replica, and costs no budget. When true, the slot of the
     * attempt that failed is the new one's.
     */
    boolean triedAgain(ReplicaEntry replica) {
        if (ended
                || clientGone
                || toClient.committed()
                || resetRetried
                || asked.endpoint().startsJob()) return false;
        resetRetried = true;
        if (asked.trace() != null) asked.trace().retried("reused_reset");
        upstreams.relayCounters.retried(Failure.REUSED_RESET);
        send(replica, true);
        return true;
    }

    /** Tries somebody else, if that may be: true when another attempt runs and the one that failed is of no interest. */
    boolean triedElsewhere(Failure failure) {
        if (ended || clientGone || toClient.committed() || !allows(failure)) return false;
        if (bound != ANYBODY) return false;
        if (routing.attempts() >= Routing.MAX_ATTEMPTS) return false;
        if (!relay.budget().tryRetry(upstreams.nanoClock.getAsLong())) {
            upstreams.relayCounters.budgetSpent();
            return false;
        }
        if (!next()) return false;
        if (asked.trace() != null) asked.trace().retried(failure.name().toLowerCase(Locale.ROOT));
        upstreams.relayCounters.retried(failure);
        return true;
    }

    private boolean allows(Failure failure) {
        if (failure == Failure.CONNECT) return true;
        if (!cargo.replayable() || asked.endpoint().startsJob()) return false;
        return switch (failure) {
            case CONNECT -> true;
            case REUSED_RESET -> false;
            case FULL -> {
                boolean first = !fullRetried;
                fullRetried = true;
                yield first;
            }
            case RESET -> relay.policy().retryOn().contains(RetryOn.RESET);
            case STATUS_500 -> relay.policy().retryOn().contains(RetryOn.STATUS_500);
            case STATUS_502 -> relay.policy().retryOn().contains(RetryOn.STATUS_502);
            case STATUS_504 -> relay.policy().retryOn().contains(RetryOn.STATUS_504);
        };
    }

    /** The request is over, once, whatever it was; its demand is booked. */
    void ended(DemandLedger.Ending ending) {
        if (ended) return;
        ended = true;
        upstreams.watch.leave(this);
        cargo.release();
        if (demand != null) demand.ended(ending, upstreams.nanoClock.getAsLong() - startedNanos);
    }

    void ended(Outcome how) {
        outcome = how;
        ended(endingOf(how));
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
        ended(Outcome.CLIENT_ABORT);
        if (attempt != null) attempt.stop(Outcome.CLIENT_ABORT);
    }

    @Override
    protected void look(long nowNanos) {
        if (ended) return;
        if (deadlineNanos > 0 && nowNanos - startedNanos >= deadlineNanos) {
            giveUp(Outcome.DEADLINE, ApiError.deadlineExceeded(deadlineNanos / 1_000_000));
            return;
        }
        if (toClient.stuck(nowNanos, relay.policy().idleMillis())) {
            toClient.cut();
            clientLeft();
            return;
        }
        toClient.look(nowNanos - startedNanos, nowNanos);
        if (attempt != null) attempt.look(nowNanos);
    }

    /** Ends the request from our side, because a limit passed: towards the engine and towards the client. */
    void giveUp(Outcome outcome, ApiError error) {
        if (ended || (attempt != null && attempt.endedWhole())) return;
        ended(outcome);
        String separator = attempt == null ? "" : attempt.separator();
        if (attempt != null) attempt.stop(outcome);
        toClient.fail(error, separator);
    }

    /** What the client went on to send is no request. */
    public void refuseBody(ApiError error) {
        giveUp(Outcome.CLIENT_ERROR, error);
    }

    @Override
    protected HttpConnection connection() {
        return asked.client().connection();
    }

    /** The router stops: what still runs ends by the rules of a broken stream. */
    @Override
    protected void stopping() {
        giveUp(Outcome.CLIENT_ABORT, ApiError.shuttingDown());
    }

    /** Some of an answer is the client's: the request's body is not needed again. */
    void bodyIsDone() {
        if (cargo.sent()) cargo.release();
    }

    boolean over() {
        return ended || clientGone;
    }

    /** How it ended, or that where it ended without an outcome. */
    Outcome outcomeOr(Outcome otherwise) {
        return outcome == null ? otherwise : outcome;
    }

    Asked asked() {
        return asked;
    }

    Cargo cargo() {
        return cargo;
    }

    RelayPolicy policy() {
        return relay.policy();
    }

    ToClient toClient() {
        return toClient;
    }

    /** A token has some four bytes: enough to tell a long prompt from a short one. */
    long promptTokens() {
        return Math.min(cargo.bytes() / 4, MOST_PROMPT_TOKENS);
    }

    String decision() {
        String code = ReasonCode.of(routing.reason(), rule.name());
        return degraded ? code + ";degraded=telemetry" : code;
    }

    long startedNanos() {
        return startedNanos;
    }
}
