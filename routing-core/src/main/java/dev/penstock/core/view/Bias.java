package dev.penstock.core.view;

import dev.penstock.core.ramp.SlowStart;
import dev.penstock.model.Freshness;
import dev.penstock.model.LoadTerms;

/**
 * What is added to a replica's load, in requests, so that one number tells how attractive it is. The view's writer works it
 * out in each sweep.
 *
 * <pre>
 *   new, or on its way back     (1 - share) x mean own in-flight of the established
 *   telemetry not FRESH         p x half that mean (0.1 of a request at least), p = clamp((age - 0.15 s) / 1.85 s, 0, 1)
 *   waiting in the engine       {@link LoadTerms#queuedWeight} x waiting, as of the last sample
 * </pre>
 *
 * A replica of twice the capacity has twice the mean. Most of the pool not FRESH means the collector's trouble, not the
 * replicas': the terms of telemetry are off for all.
 */
public enum Bias {
    SLOW_START,
    /** Back from an ejection: the verdict's ramp. */
    RAMP,
    STALE,
    QUEUED;

    private static final double FRESH_SECONDS = 0.15;
    private static final double MISSING_SECONDS = 2;
    private static final int LEAST_STALE_MILLI = 100;

    public boolean in(int causes) {
        return (causes & bit()) != 0;
    }

    private int bit() {
        return 1 << ordinal();
    }

    /** Works the bias out and writes it into the cell. */
    static void apply(ReplicaCell cell, PoolLoad pool, LoadTerms terms, long windowNanos, int routers, long nowNanos) {
        int causes = 0;
        double milli = 0;
        double fair = pool.fairPart(cell.capacity());
        int meanOwn = (int) (pool.meanOwnMilli() * fair);
        int most = Integer.MAX_VALUE;
        double share = cell.health().share(nowNanos);
        if (share < 1) causes |= RAMP.bit();
        SlowStart start = cell.slowStart();
        if (start != null) {
            double started = start.share(windowNanos, cell.smoothedFirstByteNanos(), pool.firstByteNanos(), nowNanos);
            if (started == 1) cell.established();
            else if (pool.startingWeight() > 0) {
                causes |= SLOW_START.bit();
                double weight = pool.startingWeight();
                int mean = (int) ((pool.meanOwnMilli() + pool.peersFairMilli()) * fair);
                // Where most are new, what they may not take falls to the few that are left: the ceiling rises with it.
                most = (int) (SlowStart.ownMost(1 - (1 - started) * weight, mean, routers) / weight);
                milli = SlowStart.biasMilli(started, meanOwn) * weight;
            }
        }
        if (share < 1) milli = Math.max(milli, SlowStart.biasMilli(share, meanOwn));
        double pessimism = pool.degraded() ? 0 : pessimism(cell.telemetry(), nowNanos);
        if (pessimism > 0) {
            causes |= STALE.bit();
            milli += pessimism * Math.max(meanOwn / 2.0, LEAST_STALE_MILLI);
        }
        if (terms.queuedWeight() > 0 && cell.telemetry().waiting() > 0 && !pool.degraded()) {
            causes |= QUEUED.bit();
            milli += terms.queuedWeight() * cell.telemetry().waiting() * HotRow.MILLI;
        }
        cell.row().bias((int) Math.min(milli, Integer.MAX_VALUE), causes, most);
    }

    static double pessimism(ReplicaCell.Telemetry telemetry, long nowNanos) {
        if (!telemetry.seen()) return 1;
        if (telemetry.freshness(nowNanos) == Freshness.FRESH) return 0;
        double age = (nowNanos - telemetry.sampledAtNanos()) / 1e9;
        return Math.clamp((age - FRESH_SECONDS) / (MISSING_SECONDS - FRESH_SECONDS), 0, 1);
    }
}
