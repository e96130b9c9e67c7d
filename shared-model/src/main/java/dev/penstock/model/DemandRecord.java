package dev.penstock.model;

import java.util.List;

/** What clients ask of each model at one router. */
public record DemandRecord(Header header, List<ModelDemand> models) {
    public DemandRecord {
        models = List.copyOf(models);
    }

    /**
     * Counts since the router started, per request and never per attempt; each request is in exactly one state, so
     * {@code arrived = running + queued + completed + failed + cancelled + expired + shed}.
     *
     * @param serviceMicros time the completed ones took together
     */
    public record ModelDemand(
            String model,
            PoolId pool,
            long arrived,
            int running,
            int queued,
            long completed,
            long failed,
            long cancelled,
            long expired,
            long shed,
            long serviceMicros) {}
}
