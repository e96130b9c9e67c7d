package dev.penstock.collector.discovery;

import dev.penstock.model.EngineKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica as somebody named it, before it has a number.
 *
 * @param models empty means: not known, ask it
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
        @Nullable List<String> adapters) {

    public DiscoveredReplica {
        models = List.copyOf(models);
        labels = Map.copyOf(labels);
        adapters = adapters == null ? null : List.copyOf(adapters);
    }

    /** One that has not been asked. */
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
        this(name, endpoint, metricsEndpoint, models, engine, hardwareClass, zone, maxInflight, labels, null);
    }

    DiscoveredReplica with(List<String> learned, EngineKind kind, @Nullable List<String> loaded) {
        return new DiscoveredReplica(
                name, endpoint, metricsEndpoint, learned, kind, hardwareClass, zone, maxInflight, labels, loaded);
    }
}
