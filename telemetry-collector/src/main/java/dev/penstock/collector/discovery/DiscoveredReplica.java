package dev.penstock.collector.discovery;

import dev.penstock.model.EngineKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica as somebody named it, before it has a number.
 *
 * @param models empty means: not known, ask it
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
        Map<String, String> labels) {

    public DiscoveredReplica {
        models = List.copyOf(models);
        labels = Map.copyOf(labels);
    }

    DiscoveredReplica with(List<String> learned, EngineKind kind) {
        return new DiscoveredReplica(
                name, endpoint, metricsEndpoint, learned, kind, hardwareClass, zone, maxInflight, labels);
    }
}
