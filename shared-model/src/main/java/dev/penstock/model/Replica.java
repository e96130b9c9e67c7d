package dev.penstock.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One engine process at one endpoint, as the roster owner knows it.
 *
 * @param number given by the roster owner and never reused: vectors, masks and records name replicas by it
 * @param uid changes with each incarnation of the replica
 * @param endpoint base URL, {@code http://host:port}
 * @param metricsEndpoint base URL of its metrics page where that differs from the endpoint
 * @param maxInflight the operator's own limit, where one was given
 * @param readySinceMillis wall clock of the roster owner, for people: ages are never computed from it on another host
 */
public record Replica(
        String name,
        int number,
        String uid,
        String endpoint,
        @Nullable String metricsEndpoint,
        List<String> models,
        EngineKind engine,
        @Nullable String hardwareClass,
        PoolId pool,
        @Nullable String zone,
        @Nullable Integer maxInflight,
        long readySinceMillis,
        Map<String, String> labels) {

    public Replica {
        models = List.copyOf(models);
        labels = Map.copyOf(labels);
        if (models.isEmpty()) throw new IllegalArgumentException("replica " + name + ": models must not be empty");
    }

    /** One that serves one model in the model's local pool, and of which nothing more is known. */
    public static Replica serving(String model, String name, int number, String uid, String endpoint) {
        return new Replica(
                name,
                number,
                uid,
                endpoint,
                null,
                List.of(model),
                EngineKind.VLLM,
                null,
                PoolId.localFor(model),
                null,
                null,
                0,
                Map.of());
    }

    /** Unit of telemetry frames and of scraping duty. */
    public int shard() {
        return Shards.of(number);
    }

    public String metricsBase() {
        return metricsEndpoint == null ? endpoint : metricsEndpoint;
    }
}
