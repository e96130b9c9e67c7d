package dev.penstock.collector.scrape;

import dev.penstock.model.Replica;
import org.jspecify.annotations.Nullable;

/** A replica's place in the schedule. Written by the scrape loop. */
final class ScrapeTarget {
    final Replica replica;
    final @Nullable EngineDialect dialect;
    long dueNanos;
    boolean busy;
    boolean fullOnly;
    long filterAgainNanos;
    long failures;
    long heartbeat;

    @Nullable
    String lastError;

    ScrapeTarget(Replica replica, @Nullable EngineDialect dialect, long dueNanos) {
        this.replica = replica;
        this.dialect = dialect;
        this.dueNanos = dueNanos;
    }
}
