package dev.penstock.collector.scrape;

import dev.penstock.model.Replica;
import org.jspecify.annotations.Nullable;

/** A replica's place in the schedule. Written by the scrape loop. */
final class ScrapeTarget {
    /** The same incarnation at the same place; what it serves may change. */
    Replica replica;

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

    /** Whether the same scrapes go on for what this record says. */
    boolean sameScrapes(Replica next) {
        return next.uid().equals(replica.uid())
                && next.metricsBase().equals(replica.metricsBase())
                && next.engine() == replica.engine();
    }

    ScrapeTarget(Replica replica, @Nullable EngineDialect dialect, long dueNanos) {
        this.replica = replica;
        this.dialect = dialect;
        this.dueNanos = dueNanos;
    }
}
