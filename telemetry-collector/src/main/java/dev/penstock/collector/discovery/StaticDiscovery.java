package dev.penstock.collector.discovery;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list in the configuration. Immutable. */
public record StaticDiscovery(List<DiscoveredReplica> replicas) implements Discovery {
    @Override
    public Future<Void> refresh() {
        return Future.succeededFuture();
    }

    @Override
    public @Nullable String problem() {
        return null;
    }
}
