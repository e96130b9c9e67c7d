package dev.penstock.collector.discovery;

import dev.penstock.collector.scrape.AdaptersInUse;
import dev.penstock.collector.scrape.Reading;
import dev.penstock.collector.scrape.ReadingListener;
import dev.penstock.model.Replica;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adapters that requests use at this moment, as metrics pages tell: an adapter that is used is loaded, before the engine is
 * next asked what it serves. What a page says counts while it is said again and again: engines leave the last word on the
 * page when they become idle, so the first word heard of an engine may be of yesterday. Used on one context.
 */
public final class SeenAdapters implements ReadingListener {
    private static final long LASTS_NANOS = Duration.ofMillis(1_500).toNanos();

    private final Map<String, Seen> endpointToSeen = new HashMap<>();

    private static final class Seen {
        double stamp;
        long saidNanos;
        boolean said;
        List<String> names = List.of();
    }

    @Override
    public void read(Replica replica, Reading reading, long nowNanos) {
        AdaptersInUse use = reading.adapters();
        if (use == null) return;
        Seen seen = endpointToSeen.get(replica.endpoint());
        if (seen == null) {
            seen = new Seen();
            seen.stamp = use.stamp();
            endpointToSeen.put(replica.endpoint(), seen);
            return;
        }
        if (seen.stamp == use.stamp()) return;
        seen.stamp = use.stamp();
        seen.said = true;
        seen.saidNanos = nowNanos;
        if (!seen.names.equals(use.names())) {
            seen.names = use.names().stream().filter(ModelRules::name).toList();
        }
    }

    @Override
    public void removed(Replica replica) {
        endpointToSeen.remove(replica.endpoint());
    }

    List<String> at(String endpoint, long nowNanos) {
        @Nullable Seen seen = endpointToSeen.get(endpoint);
        return seen != null && seen.said && nowNanos - seen.saidNanos < LASTS_NANOS ? seen.names : List.of();
    }
}
