package dev.penstock.core.pick;

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
    /** A trial may be taken by another event loop between the look and the entry: then it looks again. */
    private static final int LOOKS = 3;

    /** Picks into {@code out}, passing over what {@code out} has tried. */
    public void route(RosterImage view, String model, long nowNanos, RandomGenerator random, Routing out) {
        long draw = random.nextLong();
        out.shortlist().start(draw);
        ReplicaEntry[] pool = view.serving(model);
        if (pool == null) {
            out.refused(Routing.Reason.UNKNOWN_MODEL);
            return;
        }
        if (out.attempts() == Routing.MAX_ATTEMPTS) {
            out.refused(Routing.Reason.NO_REPLICA);
            return;
        }
        for (int look = 0; ; look++) {
            ReplicaEntry best = best(pool, nowNanos, draw, out);
            if (best == null) {
                out.refused(Routing.Reason.NO_REPLICA);
                return;
            }
            if (out.shortlist().standing(0) != Standing.ROUTABLE || look == LOOKS) {
                out.routed(best, Routing.Reason.PANIC);
                return;
            }
            if (best.cell().enter(nowNanos)) {
                out.routed(best, Routing.Reason.LEAST_REQUEST);
                return;
            }
        }
    }

    /** The least loaded of the least excluded. */
    private static @Nullable ReplicaEntry best(ReplicaEntry[] pool, long nowNanos, long draw, Routing out) {
        Shortlist shortlist = out.shortlist();
        shortlist.start(draw);
        for (ReplicaEntry entry : pool) shortlist.consider(entry, standing(entry, nowNanos, out), nowNanos);
        return shortlist.best();
    }

    private static Standing standing(ReplicaEntry entry, long nowNanos, Routing out) {
        if (!entry.cell().candidate()) return Standing.NOT_CANDIDATE;
        if (out.hasTried(entry.replica().number())) return Standing.TRIED;
        return Standing.of(entry.cell().exclusion(nowNanos));
    }
}
