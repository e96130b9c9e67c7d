package dev.penstock.core.pick;

import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Least request: among the replicas that serve the model and were seen FRESH once, the one with the fewest requests in
 * flight (own + peers'), ties drawn evenly. STALE and MISSING never exclude and never favour; only this router's own
 * quarantine excludes, and if it excludes everyone the least loaded of the excluded is used: protection is not an
 * outage. Stateless; the cell picked from a trial is entered here, so that one request at a time tries it.
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
            ReplicaEntry best = leastLoaded(pool, random, out, true);
            if (best == null) break;
            if (best.cell().enter(nowNanos)) {
                out.routed(best, Routing.Reason.LEAST_REQUEST);
                return;
            }
        }
        ReplicaEntry excluded = leastLoaded(pool, random, out, false);
        if (excluded == null) out.refused(Routing.Reason.NO_REPLICA);
        else out.routed(excluded, Routing.Reason.PANIC);
    }

    private static @Nullable ReplicaEntry leastLoaded(
            ReplicaEntry[] pool, RandomGenerator random, Routing out, boolean admitted) {
        ReplicaEntry best = null;
        long least = Long.MAX_VALUE;
        int ties = 0;
        int candidates = 0;
        int quarantined = 0;
        for (ReplicaEntry entry : pool) {
            ReplicaCell cell = entry.cell();
            if (!cell.candidate()) continue;
            Quarantine quarantine = cell.quarantine();
            if (!quarantine.admits()) quarantined++;
            if (admitted && !quarantine.admits()) continue;
            if (out.hasTried(entry.replica().number())) continue;
            candidates++;
            long load = cell.loadMilli();
            if (load < least) {
                least = load;
                best = entry;
                ties = 1;
            } else if (load == least && random.nextInt(++ties) == 0) {
                best = entry;
            }
        }
        out.counted(candidates, quarantined);
        return best;
    }
}
