package dev.penstock.core.pick;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaCell.Exclusion;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Least request: among the replicas that serve the model and were seen FRESH once, the one with the fewest requests in
 * flight (own + peers'), ties drawn evenly. STALE and MISSING never exclude and never favour; verdicts of health-svc and
 * this router's own quarantine do, and if they exclude everyone the best of the excluded is used, the mildest reason first
 * and then the least loaded: protection is not an outage. Stateless; a trial or a half-open permit is entered here, so that
 * one request at a time uses it.
 */
public final class RoutingPolicy {
    /** Picks into {@code out}, passing over what {@code out} has tried. */
    public void route(RosterImage view, String model, long nowNanos, RandomGenerator random, Routing out) {
        ReplicaEntry[] pool = view.serving(model);
        if (pool == null) {
            out.refused(Routing.Reason.UNKNOWN_MODEL);
            return;
        }
        if (out.attempts() == Routing.MAX_ATTEMPTS) {
            out.refused(Routing.Reason.NO_REPLICA);
            return;
        }
        // A trial may be taken by another event loop between the look and the entry: then look again.
        for (int look = 0; look < 3; look++) {
            ReplicaEntry best = best(pool, nowNanos, random, out, Exclusion.NONE);
            if (best == null) break;
            if (best.cell().enter(nowNanos)) {
                out.routed(best, Routing.Reason.LEAST_REQUEST);
                return;
            }
        }
        ReplicaEntry excluded = best(pool, nowNanos, random, out, Exclusion.HARD);
        if (excluded == null) out.refused(Routing.Reason.NO_REPLICA);
        else out.routed(excluded, Routing.Reason.PANIC);
    }

    /** The least loaded of the least excluded, none of them excluded by more than {@code worst}. */
    private static @Nullable ReplicaEntry best(
            ReplicaEntry[] pool, long nowNanos, RandomGenerator random, Routing out, Exclusion worst) {
        ReplicaEntry best = null;
        Exclusion mildest = worst;
        long least = Long.MAX_VALUE;
        int ties = 0;
        int candidates = 0;
        int excluded = 0;
        for (ReplicaEntry entry : pool) {
            ReplicaCell cell = entry.cell();
            if (!cell.candidate()) continue;
            Exclusion exclusion = cell.exclusion(nowNanos);
            if (exclusion != Exclusion.NONE) excluded++;
            if (exclusion.compareTo(mildest) > 0) continue;
            if (out.hasTried(entry.replica().number())) continue;
            candidates++;
            long load = cell.loadMilli(nowNanos);
            if (exclusion.compareTo(mildest) < 0 || load < least) {
                mildest = exclusion;
                least = load;
                best = entry;
                ties = 1;
            } else if (load == least && random.nextInt(++ties) == 0) {
                best = entry;
            }
        }
        out.counted(candidates, excluded);
        return best;
    }
}
