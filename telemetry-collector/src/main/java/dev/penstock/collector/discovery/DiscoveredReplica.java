package dev.penstock.collector.discovery;

import dev.penstock.model.EngineKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica as somebody named it, before it has a number.
 *
 * @param models empty means: not known, ask it
 * @param kvEvents null = it publishes none
 * @param adapters LoRA adapters that it has loaded besides, in order; null = it has not told yet
 */
public record DiscoveredReplica(
        String name,
        String endpoint,
        @Nullable String metricsEndpoint,
        List<String> models,
        EngineKind engine,
        @Nullable String hardwareClass,
        @Nullable String zone,
        @Nullable Integer maxInflight,
        Map<String, String> labels,
        @Nullable KvSource kvEvents,
        @Nullable List<String> adapters) {

    public DiscoveredReplica {
        models = List.copyOf(models);
        labels = Map.copyOf(labels);
        adapters = adapters == null ? null : List.copyOf(adapters);
    }

    /** One that publishes no KV events and has not been asked. */
    public DiscoveredReplica(
            String name,
            String endpoint,
            @Nullable String metricsEndpoint,
            List<String> models,
            EngineKind engine,
            @Nullable String hardwareClass,
            @Nullable String zone,
            @Nullable Integer maxInflight,
            Map<String, String> labels) {
        this(name, endpoint, metricsEndpoint, models, engine, hardwareClass, zone, maxInflight, labels, null, null);
    }

    /**
     * Where a replica publishes what its KV cache holds, {@code tcp://host:port}. Only collectors need to know.
     *
     * @param replay where it tells events again, or null = nowhere
     */
    public record KvSource(String events, @Nullable String replay) {}

    DiscoveredReplica with(List<String> learned, EngineKind kind, @Nullable List<String> loaded) {
        return new DiscoveredReplica(
                name,
                endpoint,
                metricsEndpoint,
                learned,
                kind,
                hardwareClass,
                zone,
                maxInflight,
                labels,
                kvEvents,
                loaded);
    }
}
