package dev.penstock.router.ingress;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.api.Envelope;
import dev.penstock.router.auth.Access;
import dev.penstock.router.auth.Tenant;
import dev.penstock.router.job.FollowUps;
import dev.penstock.router.job.JobListing;
import dev.penstock.router.job.JobPath;
import dev.penstock.router.relay.Upstreams;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Requests about jobs and stored answers; those that make one are a {@link CompletionHandler}'s. One per event loop. */
final class JobsHandler {
    private final RequestIds ids;
    private final Gate gate;
    private final FollowUps followUps;
    private final JobListing listing;
    private final Upstreams upstreams;

    JobsHandler(RequestIds ids, Gate gate, FollowUps followUps, JobListing listing, Upstreams upstreams) {
        this.ids = ids;
        this.gate = gate;
        this.followUps = followUps;
        this.listing = listing;
        this.upstreams = upstreams;
    }

    /** Answers what is asked of jobs together; false where the endpoint has none. */
    boolean lists(HttpServerRequest request, Endpoint endpoint) {
        if (endpoint != Endpoint.VIDEOS) return false;
        identified(request);
        if (request.method() != HttpMethod.GET) {
            wrongMethod(request, "GET, POST");
            return true;
        }
        Tenant tenant = admitted(request);
        if (tenant != null) listing.handle(request, tenant.name());
        return true;
    }

    /** Answers what is asked of one job; false where the path is of none. */
    boolean handles(HttpServerRequest request, Target target) {
        JobPath path = JobPath.of(target.path());
        if (path == null) return false;
        long number = identified(request);
        if (!path.allows(request.method())) {
            wrongMethod(request, path.allowed());
            return true;
        }
        Tenant tenant = admitted(request);
        String query = target.uri().substring(target.path().length());
        if (tenant != null) followUps.handle(request, number, ids.of(number), path, query, tenant);
        return true;
    }

    private long identified(HttpServerRequest request) {
        long number = ids.next();
        request.response().headers().set(Headers.REQUEST_ID, ids.of(number));
        return number;
    }

    /** Whose request it is; null once it was refused. */
    private @Nullable Tenant admitted(HttpServerRequest request) {
        return switch (gate.check(request)) {
            case Access.Granted granted -> granted.tenant();
            case Access.Refused refused -> {
                Refused.send(request, Gate.error(refused), Envelope.OPENAI, upstreams.watch());
                yield null;
            }
        };
    }

    private static void wrongMethod(HttpServerRequest request, String allowed) {
        request.response().putHeader("allow", allowed);
        ApiError.wrongMethod(request.method().name(), allowed).send(request, Envelope.OPENAI);
    }
}
