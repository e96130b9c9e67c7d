package dev.penstock.router.ingress;

import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.RelayPolicy;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.auth.Access;
import dev.penstock.router.auth.Tenant;
import dev.penstock.router.body.BodyFacts;
import dev.penstock.router.body.RequestBody;
import dev.penstock.router.body.Splice;
import dev.penstock.router.relay.Asked;
import dev.penstock.router.relay.Exchange;
import dev.penstock.router.relay.Upstreams;
import dev.penstock.router.relay.Watch;
import dev.penstock.router.trace.RequestTrace;
import dev.penstock.router.trace.Traces;
import dev.penstock.router.upload.Boundary;
import dev.penstock.router.upload.FormFault;
import dev.penstock.router.upload.FormFields;
import dev.penstock.router.upload.MultipartScan;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one request with a form as its body to an {@link Exchange} as soon as its model is known; the rest of the form goes
 * through while it is read. One per event loop.
 */
final class UploadHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UploadHandler.class);
    /** Fields that follow the model are waited for so long: SDKs send all fields before the first file. */
    private static final int FIELDS_BYTES = 64 << 10;

    private static final String JSON = "application/json";
    private static final ApiError NO_BOUNDARY =
            ApiError.invalidRequest("The Content-Type has no boundary of 1 to 70 characters.", null);

    private final BodyMemory memory;
    private final BodyLimits limits;
    private final RequestIds ids;
    private final ModelNames names;
    private final Upstreams upstreams;
    private final Gate gate;
    private final Traces traces;
    /** Forms name no session and have no prompt. */
    private final BodyFacts noFacts = new BodyFacts();

    UploadHandler(
            BodyMemory memory,
            BodyLimits limits,
            RequestIds ids,
            ModelNames names,
            Upstreams upstreams,
            Gate gate,
            Traces traces) {
        this.memory = memory;
        this.limits = limits;
        this.ids = ids;
        this.names = names;
        this.upstreams = upstreams;
        this.gate = gate;
        this.traces = traces;
    }

    /** Whether it is a form, or should be; what is neither that nor JSON is refused here. */
    boolean takes(HttpServerRequest request, Endpoint endpoint) {
        return switch (endpoint.body()) {
            case JSON -> false;
            case MULTIPART -> true;
            case EITHER -> {
                String type = request.headers().get(Headers.CONTENT_TYPE);
                yield type != null && !type.regionMatches(true, 0, JSON, 0, JSON.length());
            }
        };
    }

    void handle(HttpServerRequest request, Endpoint endpoint, Target target) {
        long number = ids.next();
        String id = ids.of(number);
        request.response().headers().set(Headers.REQUEST_ID, id);
        switch (gate.check(request)) {
            case Access.Refused refused ->
                Refused.send(request, Gate.error(refused), endpoint.envelope(), upstreams.watch());
            case Access.Granted granted -> handle(request, endpoint, target, number, id, granted.tenant());
        }
    }

    private void handle(
            HttpServerRequest request, Endpoint endpoint, Target target, long number, String id, Tenant tenant) {
        String type = request.headers().get(Headers.CONTENT_TYPE);
        ApiError refused = limits.refusal(request, BodyLimits.declared(request));
        if (refused == null && !Boundary.isForm(type)) refused = unsupported(endpoint, type);
        String boundary = refused == null && type != null ? Boundary.of(type) : null;
        if (boundary != null)
            new Incoming(request, endpoint, target, number, id, tenant, new MultipartScan(boundary)).start();
        else Refused.send(request, refused == null ? NO_BOUNDARY : refused, endpoint.envelope(), upstreams.watch());
    }

    private static ApiError unsupported(Endpoint endpoint, @Nullable String type) {
        String expected = endpoint.body() == Endpoint.Body.EITHER
                ? "multipart/form-data or application/json"
                : "multipart/form-data";
        return ApiError.unsupportedType(type == null ? "" : type, expected);
    }

    /** A form on its way in, until its last byte. */
    private final class Incoming extends Watch.Member {
        private final HttpServerRequest request;
        private final Endpoint endpoint;
        private final Target target;
        private final long number;
        private final String id;
        private final Tenant tenant;
        private final @Nullable RequestTrace trace;
        private final MultipartScan scan;
        private final RequestBody held = new RequestBody();
        private final BodyMemory.Share share = memory.share();
        private final long startedNanos = upstreams.nanoClock().getAsLong();
        private @Nullable StreamedCargo cargo;
        private @Nullable Exchange exchange;
        private long received;
        private boolean over;

        Incoming(
                HttpServerRequest request,
                Endpoint endpoint,
                Target target,
                long number,
                String id,
                Tenant tenant,
                MultipartScan scan) {
            this.request = request;
            this.endpoint = endpoint;
            this.target = target;
            this.number = number;
            this.id = id;
            this.tenant = tenant;
            this.trace = traces.begin(request.headers(), id, endpoint.operation(), 0);
            this.scan = scan;
        }

        void start() {
            upstreams.watch().join(this);
            if (trace != null) {
                // An exchange takes its place: until then a request ends without an attempt.
                request.response()
                        .endHandler(over -> trace.ended(request.response().getStatusCode(), null));
            }
            request.exceptionHandler(gone -> gone());
            request.handler(chunk -> safely(() -> chunk(chunk)));
            request.endHandler(end -> safely(this::ended));
            limits.sayContinue(request);
        }

        /** A bug of ours must not leave the client without an answer, nor the body in memory. */
        private void safely(Runnable step) {
            if (over) return;
            try {
                step.run();
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).addKeyValue(LogKeys.REQUEST, id).log("request failed in the router");
                share.release();
                done();
                Refused.send(request, ApiError.internal(), endpoint.envelope(), upstreams.watch());
            }
        }

        private void chunk(Buffer chunk) {
            received += chunk.length();
            if (received > limits.maxBody()) {
                refuse(limits.tooLarge());
                return;
            }
            scan.feed(chunk);
            FormFault fault = scan.fault();
            if (fault != null) refuse(fault);
            else if (cargo != null) cargo.more(chunk);
            else if (!share.tryReserveUpTo(received)) refuse(ApiError.routerBusy());
            else {
                held.add(chunk);
                if (decidable()) start(false);
            }
        }

        private boolean decidable() {
            FormFields fields = scan.fields();
            if (fields.model() == null) return false;
            return scan.closed() || scan.inFile() || received - fields.modelEnd() >= FIELDS_BYTES;
        }

        private void start(boolean whole) {
            if (!whole) request.pause();
            FormFields fields = scan.fields();
            String sent = String.valueOf(fields.model());
            String named = names.resolve(sent);
            if (!tenant.allows(sent, named)) {
                refuse(ApiError.modelNotAllowed(sent));
                return;
            }
            RelayPolicy contract = upstreams.policies().of(named);
            String model = upstreams.policies().target(named, upstreams.random());
            if (trace != null) trace.asksFor(model, fields.stream());
            List<Splice> splices = model.equals(sent)
                    ? List.of()
                    : List.of(
                            new Splice(fields.modelStart(), fields.modelEnd(), model.getBytes(StandardCharsets.UTF_8)));
            cargo = new StreamedCargo(
                    request,
                    held,
                    share,
                    splices,
                    whole,
                    length(splices, whole),
                    upstreams.nanoClock(),
                    this::unwanted);
            Asked asked = new Asked(
                    request,
                    number,
                    id,
                    endpoint,
                    target.uri(),
                    model,
                    fields.stream(),
                    fields.choices(),
                    contract,
                    tenant,
                    trace);
            exchange = new Exchange(upstreams, asked, cargo, noFacts);
            exchange.start();
        }

        /** As declared, and what the engines' name of the model makes it longer. */
        private long length(List<Splice> splices, boolean whole) {
            if (whole) return held.lengthWith(splices);
            long declared = BodyLimits.declared(request);
            return declared < 0 ? -1 : declared + held.lengthWith(splices) - held.length();
        }

        private void ended() {
            FormFault fault = scan.finish();
            if (fault != null) {
                refuse(fault);
                return;
            }
            if (cargo == null) start(true);
            else cargo.end();
            done();
        }

        private void refuse(FormFault fault) {
            refuse(ApiError.invalidRequest(fault.message(), fault.param()));
        }

        private void refuse(ApiError error) {
            if (over) return;
            if (exchange != null) {
                exchange.refuseBody(error);
                return;
            }
            gone();
            request.resume();
            Refused.send(request, error, endpoint.envelope(), upstreams.watch());
        }

        @Override
        protected HttpConnection connection() {
            return request.connection();
        }

        @Override
        protected void look(long nowNanos) {
            long waited = cargo == null ? 0 : cargo.pausedNanos(nowNanos);
            if (limits.tooSlow(nowNanos - startedNanos - waited, received)) refuse(ApiError.bodyTimeout());
        }

        /** The exchange is over: an answer came before the last of the form, or nobody is there to send it to. */
        private void unwanted() {
            if (over) return;
            done();
            request.resume();
            Refused.dropRest(request, upstreams.watch());
        }

        /** An exchange hears of it by itself. */
        private void gone() {
            if (over || exchange != null) return;
            share.release();
            held.clear();
            done();
        }

        private void done() {
            over = true;
            upstreams.watch().leave(this);
        }
    }
}
