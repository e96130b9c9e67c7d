package dev.penstock.router.job;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.RelayPolicy;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.api.Envelope;
import dev.penstock.router.auth.Tenant;
import dev.penstock.router.relay.AnswerRewrite;
import dev.penstock.router.relay.Asked;
import dev.penstock.router.relay.FollowUp;
import dev.penstock.router.relay.Upstreams;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/** Leads a request about a job to the replica that its id names. One event loop's. */
public final class FollowUps {
    /** Shorter names may be parts of words. */
    private static final int LEAST_RENAMED = 8;

    private final FleetView view;
    private final JobIds ids;
    private final JobRewrites rewrites;
    private final JobIndex index;
    private final JobCounters counters;
    private final Upstreams upstreams;

    public FollowUps(FleetView view, JobIds ids, JobRewrites rewrites, Jobs jobs, Upstreams upstreams) {
        this.view = view;
        this.ids = ids;
        this.rewrites = rewrites;
        this.index = jobs.index();
        this.counters = jobs.counters();
        this.upstreams = upstreams;
    }

    /**
     * @param number of the request
     * @param requestId with that number in it
     * @param query what follows the path, its question mark included
     */
    public void handle(
            HttpServerRequest request, long number, String requestId, JobPath path, String query, Tenant tenant) {
        JobId id = ids.read(path.kind(), tenant.name(), path.id());
        if (id == null) {
            refuse(
                    request,
                    JobCounters.Result.NOT_FOUND,
                    ApiError.notFound(path.kind().noun()));
            return;
        }
        switch (Owners.of(id, view)) {
            case Owners.Gone gone ->
                refuse(
                        request,
                        JobCounters.Result.GONE,
                        ApiError.gone(path.kind().noun()));
            case Owners.Unknown unknown -> refuse(request, JobCounters.Result.FAILED, ApiError.noModels());
            case Owners.Present present ->
                forward(
                        request,
                        number,
                        requestId,
                        path,
                        path.atEngine(id.engineId()) + query,
                        id,
                        tenant,
                        present.replica());
        }
    }

    private void forward(
            HttpServerRequest request,
            long number,
            String requestId,
            JobPath path,
            String uri,
            JobId id,
            Tenant tenant,
            ReplicaEntry owner) {
        Endpoint endpoint = path.kind() == JobKind.RESPONSE ? Endpoint.RESPONSES : Endpoint.VIDEOS;
        String model = owner.replica().models().getFirst();
        RelayPolicy contract = upstreams.policies().of(model);
        Asked asked = new Asked(request, number, requestId, endpoint, uri, model, false, 1, contract, tenant, null);
        boolean deletes = request.method() == HttpMethod.DELETE;
        FollowUp.About about = new FollowUp.About() {
            @Override
            public AnswerRewrite rewrite(boolean eventStream) {
                return rewrites.of(path.kind(), tenant.name(), owner.replica(), eventStream);
            }

            @Override
            public Buffer renamed(Buffer error) {
                if (id.engineId().length() < LEAST_RENAMED) return error;
                return Buffer.buffer(error.toString().replace(id.engineId(), path.id()));
            }

            @Override
            public void ended(int status) {
                counters.ended(status == 0 ? JobCounters.Result.FAILED : JobCounters.Result.RELAYED);
                if (deletes && path.kind() == JobKind.VIDEO && status >= 200 && status < 300) {
                    index.deleted(tenant.name(), path.id());
                }
            }
        };
        new FollowUp(upstreams, asked, owner, request.method(), about).start();
    }

    private void refuse(HttpServerRequest request, JobCounters.Result result, ApiError error) {
        counters.ended(result);
        error.send(request, Envelope.OPENAI);
    }
}
