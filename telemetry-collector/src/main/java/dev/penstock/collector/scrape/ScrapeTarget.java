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
    long answeredNanos;
    double achievedNanos;

    @Nullable
    String lastError;

    /** An answer came: the time between answers, smoothed over about eight. */
    void answered(long nowNanos) {
        if (answeredNanos != 0) {
            double gap = nowNanos - answeredNanos;
            achievedNanos = achievedNanos == 0 ? gap : achievedNanos + (gap - achievedNanos) / 8;
        }
        answeredNanos = nowNanos;
    }

    ScrapeTarget(Replica replica, @Nullable EngineDialect dialect, long dueNanos) {
        this.replica = replica;
        this.dialect = dialect;
        this.dueNanos = dueNanos;
    }
}
