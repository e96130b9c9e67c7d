package dev.penstock.collector.discovery;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source of replicas. Used on one context. */
public interface Discovery {
    /** Looks again; never fails. */
    Future<Void> refresh();

    /** The last good list, or null while there has been none: no list is not an empty list. */
    @Nullable
    List<DiscoveredReplica> replicas();

    /** What is wrong with the source, or null. */
    @Nullable
    String problem();
}
