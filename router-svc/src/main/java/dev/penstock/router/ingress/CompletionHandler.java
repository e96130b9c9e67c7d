package dev.penstock.router.ingress;

import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.RelayPolicy;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.auth.Access;
import dev.penstock.router.auth.Tenant;
import dev.penstock.router.body.BodyPeek;
import dev.penstock.router.body.Peek;
import dev.penstock.router.body.RequestBody;
import dev.penstock.router.job.Previous;
import dev.penstock.router.relay.Asked;
import dev.penstock.router.relay.Exchange;
import dev.penstock.router.relay.Upstreams;
import dev.penstock.router.relay.Watch;
import dev.penstock.router.trace.RequestTrace;
import dev.penstock.router.trace.Traces;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes one request with a JSON body from its first byte to an {@link Exchange}. One per event loop. */
final class CompletionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionHandler.class);

    private final BodyMemory memory;
    private final BodyLimits limits;
    private final RequestIds ids;
    private final ModelNames names;
    private final Upstreams upstreams;
    private final Previous previous;
    private final Supplier<Set<String>> sessionFields;
    private final Gate gate;
    private final Traces traces;
    private final Peeks peeks = new Peeks();

    /** @param sessionFields those that may name a session, of all models */
    CompletionHandler(
            BodyMemory memory,
            BodyLimits limits,
            RequestIds ids,
            ModelNames names,
            Upstreams upstreams,
            Previous previous,
            Gate gate,
            Traces traces,
            Supplier<Set<String>> sessionFields) {
        this.memory = memory;
        this.limits = limits;
        this.ids = ids;
        this.names = names;
        this.upstreams = upstreams;
        this.previous = previous;
        this.gate = gate;
        this.traces = traces;
        this.sessionFields = sessionFields;
    }

    void handle(HttpServerRequest request, Endpoint endpoint, Target target) {
        long number = ids.next();
        String id = ids.of(number);
        request.response().headers().set(Headers.REQUEST_ID, id);
        switch (gate.check(request)) {
            case Access.Refused refused ->
                Refused.send(request, Gate.error(refused), endpoint.envelope(), upstreams.watch());
            case Access.Granted granted -> {
                long declared = BodyLimits.declared(request);
                ApiError refusal = limits.refusal(request, declared, memory);
                if (refusal != null) Refused.send(request, refusal, endpoint.envelope(), upstreams.watch());
                else new Collecting(request, endpoint, target, number, id, granted.tenant()).start(declared);
            }
        }
    }

    /** A body on its way in: bounded by itself, in time, and together with all others. */
    private final class Collecting extends Watch.Member {
        private final HttpServerRequest request;
        private final Endpoint endpoint;
        private final Target target;
        private final long number;
        private final String id;
        private final Tenant tenant;
        private final @Nullable RequestTrace trace;
        private final RequestBody body = new RequestBody();
        private final BodyPeek peek = peeks.take();
        private final BodyMemory.Share share = memory.share();
        private final long startedNanos = upstreams.nanoClock().getAsLong();
        private boolean over;

        Collecting(HttpServerRequest request, Endpoint endpoint, Target target, long number, String id, Tenant tenant) {
            this.request = request;
            this.endpoint = endpoint;
            this.target = target;
            this.number = number;
            this.id = id;
            this.tenant = tenant;
            this.trace = traces.begin(request.headers(), id, endpoint.operation(), 0);
        }

        void start(long declared) {
            if (trace != null) {
                // An exchange takes its place: until then a request ends without an attempt.
                request.response()
                        .endHandler(over -> trace.ended(request.response().getStatusCode(), null));
            }
            // Declared bodies take their memory at once: half of one is worth nothing.
            if (!share.tryReserve(Math.max(0, declared))) {
                refuse(ApiError.routerBusy());
                return;
            }
            peek.start(sessionFields.get());
            upstreams.watch().join(this);
            request.exceptionHandler(gone -> stop());
            request.handler(this::chunk);
            request.endHandler(end -> wholeSafely());
            limits.sayContinue(request);
        }

        private void chunk(Buffer chunk) {
            if (over) return;
            if (body.length() + chunk.length() > limits.maxBody()) refuse(limits.tooLarge());
            else if (!share.tryReserveUpTo(body.length() + chunk.length())) refuse(ApiError.routerBusy());
            else {
                body.add(chunk);
                peek.feed(chunk);
            }
        }

        private void refuse(ApiError error) {
            if (over) return;
            stop();
            Refused.send(request, error, endpoint.envelope(), upstreams.watch());
        }

        @Override
        protected HttpConnection connection() {
            return request.connection();
        }

        @Override
        protected void look(long nowNanos) {
            if (limits.tooSlow(nowNanos - startedNanos, body.length())) refuse(ApiError.bodyTimeout());
        }

        /** A bug of ours must not leave the client without an answer, nor the body in memory. */
        private void wholeSafely() {
            if (over) return;
            try {
                whole();
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).addKeyValue(LogKeys.REQUEST, id).log("request failed in the router");
                share.release();
                ApiError.internal().send(request, endpoint.envelope());
            } finally {
                done();
            }
        }

        private void whole() {
            switch (peek.finish()) {
                case Peek.Invalid invalid -> {
                    share.release();
                    ApiError.invalidRequest(invalid.message(), invalid.param()).send(request, endpoint.envelope());
                }
                case Peek.Peeked peeked -> start(peeked);
            }
        }

        private void start(Peek.Peeked peeked) {
            String named = names.resolve(peeked.model());
            if (!tenant.allows(peeked.model(), named)) {
                share.release();
                ApiError.modelNotAllowed(peeked.model()).send(request, endpoint.envelope());
                return;
            }
            RelayPolicy contract = upstreams.policies().of(named);
            if (endpoint != Endpoint.RESPONSES || peeked.previousResponseId() == null) {
                exchange(peeked, contract, upstreams.policies().target(named, upstreams.random()), null);
            } else goOn(peeked, contract, named);
        }

        /** What it goes on from is at one replica only. */
        private void goOn(Peek.Peeked peeked, RelayPolicy contract, String named) {
            switch (previous.find(peeked.previousResponseId(), tenant.name(), named, contract.split())) {
                // An engine's own id would lead to what another tenant has there.
                case Previous.Found.NotOurs notOurs -> refuseWhole(ApiError.notFound("The previous response"));
                case Previous.Found.At at -> exchange(peeked, contract, at.model(), at);
                case Previous.Found.Gone gone -> refuseWhole(ApiError.gone("The previous response"));
                case Previous.Found.OfAnotherModel other ->
                    refuseWhole(ApiError.invalidRequest(
                            "The previous response is of a replica that does not serve this model.",
                            "previous_response_id"));
            }
        }

        private void refuseWhole(ApiError error) {
            share.release();
            error.send(request, endpoint.envelope());
        }

        /** @param bound the one replica that it may go to, or null */
        private void exchange(
                Peek.Peeked peeked, RelayPolicy contract, String model, Previous.Found.@Nullable At bound) {
            if (trace != null) trace.asksFor(model, peeked.stream());
            JsonCargo cargo = JsonCargo.of(body, share, peeked, model, contract, endpoint);
            if (bound != null) {
                cargo = cargo.with(peeked.previousResponseStart(), peeked.previousResponseEnd(), bound.engineId());
            }
            Asked asked = new Asked(
                    request,
                    number,
                    id,
                    endpoint,
                    target.uri(),
                    model,
                    peeked.stream(),
                    peeked.choices(),
                    contract,
                    tenant,
                    trace);
            Exchange exchange = new Exchange(upstreams, asked, cargo, peek.facts());
            if (bound != null) exchange.boundTo(bound.replica());
            exchange.start();
        }

        /** Nothing of this request is wanted any more. */
        private void stop() {
            if (over) return;
            share.release();
            body.clear();
            done();
        }

        private void done() {
            over = true;
            upstreams.watch().leave(this);
            peeks.give(peek);
        }
    }
}
