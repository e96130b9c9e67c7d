package dev.penstock.core.view;

import dev.penstock.model.Freshness;
import dev.penstock.model.LoadTerms;

/**
 * What a request weighs at a replica, so that unlike replicas can be compared:
 *
 * <pre>
 *   weight = (1 + alpha kvUsed^2) / capacity      x 8 when less than kvCriticalFree of the KV cache is free
 * </pre>
 *
 * Capacity is what collectors learned, relative to the mean of the pool; the last one stays when none is told. KV use
 * that is not FRESH counts more and more as at least the pool's third quartile, which is what one that is MISSING counts as;
 * where most of the pool is not FRESH it counts for nobody. One that says its cache is full while nothing has been in flight
 * for 2 s is not believed (engines freeze their gauges when all is cancelled).
 */
final class Weight {
    private static final double CRITICAL = 8;
    private static final int SUSPECT_KV_PPM = 900_000;
    private static final long NOT_BELIEVED_NANOS = 2_000_000_000L;

    private Weight() {}

    /** Works the weight out and writes it into the cell. */
    static void apply(ReplicaCell cell, PoolLoad pool, LoadTerms terms, long nowNanos) {
        boolean believed = believed(cell, nowNanos);
        double kv = pool.degraded() ? 0 : kvUsed(cell, believed, pool, nowNanos);
        double factor = 1 + terms.kvPressureAlpha() * kv * kv;
        if (kv > 1 - terms.kvCriticalFree()) factor *= CRITICAL;
        double weight = HotRow.EVEN_WEIGHT * factor / pool.fairPart(cell.capacity());
        cell.row().weight((int) Math.clamp(Math.round(weight), 1, HotRow.MOST_WEIGHT));
    }

    /** Peers' fair share is no sign of work: where peers are busy everybody has some. What they told is. */
    private static boolean believed(ReplicaCell cell, long nowNanos) {
        ReplicaCell.Telemetry t = cell.telemetry();
        boolean idle = t.running() + t.waiting() == 0 && cell.own() == 0 && !cell.peersToldAny();
        return cell.idleNanos(idle, nowNanos) < NOT_BELIEVED_NANOS || t.kvUsedPpm() <= SUSPECT_KV_PPM;
    }

    private static double kvUsed(ReplicaCell cell, boolean believed, PoolLoad pool, long nowNanos) {
        ReplicaCell.Telemetry t = cell.telemetry();
        if (!t.seen() || t.kvUsedPpm() < 0) return pool.kvUsedThirdQuartile();
        double kv = believed ? Math.min(1, t.kvUsedPpm() / 1e6) : 0;
        if (t.freshness(nowNanos) == Freshness.FRESH) return kv;
        double pessimism = Bias.pessimism(t, nowNanos);
        return (1 - pessimism) * kv + pessimism * Math.max(kv, pool.kvUsedThirdQuartile());
    }
}
