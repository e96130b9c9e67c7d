package dev.penstock.core.pick;

import dev.penstock.core.view.Candidates;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.random.RandomGenerator;

/**
 * Who takes a request. Candidates come from the model's load index, which costs the same for ten replicas as for ten
 * thousand; the index is a hint, so each candidate is judged by its cell's numbers: own in-flight, peers', a bias. STALE and
 * MISSING never exclude and never favour; verdicts of health-svc and this router's own quarantine do, and if they exclude
 * everyone the best of the excluded is used, the mildest reason first and then the least loaded: protection is not an outage.
 * If another event loop has the index, the best of four drawn replicas is used. Stateless; a trial or a half-open permit is
 * entered here, so that one request at a time uses it.
 */
public final class RoutingPolicy {
    /** A trial may be taken by another event loop between the look and the entry: then it looks again. */
    private static final int LOOKS = 3;

    static final int CONTENDED_DRAWS = 4;
    private static final int TRIES_PER_DRAW = 8;

    /** Picks into {@code out}, passing over what {@code out} has tried. */
    public void route(
            RosterImage view, String model, PickRule rule, long nowNanos, RandomGenerator random, Routing out) {
        long draw = random.nextLong();
        Shortlist list = out.shortlist();
        list.start(draw, 0, false, nowNanos);
        Candidates candidates = view.candidates(model);
        if (candidates == null) {
            out.refused(Routing.Reason.UNKNOWN_MODEL);
            return;
        }
        if (out.attempts() == Routing.MAX_ATTEMPTS) {
            out.refused(Routing.Reason.NO_REPLICA);
            return;
        }
        long order = rule.order(candidates.pool());
        boolean degraded = candidates.pool().degraded();
        for (int look = 0; ; look++) {
            list.start(draw, order, degraded, nowNanos);
            boolean contended = !gather(candidates, rule, draw, nowNanos, out);
            int best = list.pick();
            ReplicaEntry entry = best == Shortlist.NOBODY ? null : list.entry(best);
            if (entry == null) {
                out.refused(Routing.Reason.NO_REPLICA);
                return;
            }
            if (look == LOOKS) {
                out.routed(entry, Routing.Reason.PANIC);
                return;
            }
            if (!list.standing(best).sound()) {
                if (list.count(Standing.ROUTABLE) == 0 || contended) {
                    out.routed(entry, Routing.Reason.PANIC);
                    return;
                }
                // The index has routable ones, and those it named first are not: it learns that, and is asked again.
                correct(candidates, list);
            } else if (entry.cell().enter(nowNanos)) {
                out.routed(entry, contended ? Routing.Reason.CONTENDED : Routing.Reason.STRATEGY);
                return;
            }
        }
    }

    /** Fills the shortlist; false when the index could not be had. */
    private static boolean gather(Candidates candidates, PickRule rule, long draw, long nowNanos, Routing out) {
        Shortlist list = out.shortlist();
        if (rule.draws() > 0) {
            candidates.count(list.classCounts);
            list.countClasses(candidates.size());
            drawn(candidates, rule.draws(), draw, nowNanos, out);
            return true;
        }
        int most = Shortlist.SIZE + out.attempts();
        int found = candidates.lowest(list.slots, most, draw, list.classCounts);
        if (found == Candidates.CONTENDED) {
            candidates.count(list.classCounts);
            list.countClasses(candidates.size());
            drawn(candidates, CONTENDED_DRAWS, draw, nowNanos, out);
            return false;
        }
        list.countClasses(candidates.size());
        for (int i = 0; i < found; i++) consider(candidates.entry(list.slots[i]), nowNanos, out);
        return true;
    }

    private static void consider(ReplicaEntry entry, long nowNanos, Routing out) {
        Standing standing = standing(entry, nowNanos, out);
        if (standing == Standing.TRIED)
            out.shortlist().countTried(Standing.of(entry.cell().exclusion(nowNanos)));
        out.shortlist().consider(entry, standing);
    }

    /** So many routable replicas, each with the same chance; if none is found in a few tries, the best of all. */
    private static void drawn(Candidates candidates, int draws, long draw, long nowNanos, Routing out) {
        Shortlist list = out.shortlist();
        int all = candidates.size();
        if (all == 0) return;
        for (int i = 0; i < TRIES_PER_DRAW * draws && list.size() < Math.min(draws, all); i++) {
            int slot = (int) ((TieBreak.key(~draw, i) >>> 32) * all >>> 32);
            ReplicaEntry entry = candidates.entry(slot);
            if (list.has(entry)) continue;
            if (standing(entry, nowNanos, out) == Standing.ROUTABLE) list.consider(entry, Standing.ROUTABLE);
        }
        if (list.size() > 0) return;
        for (ReplicaEntry entry : candidates.entries()) consider(entry, nowNanos, out);
    }

    private static void correct(Candidates candidates, Shortlist list) {
        for (int slot : list.slots) if (slot < candidates.size()) candidates.touch(slot);
    }

    private static Standing standing(ReplicaEntry entry, long nowNanos, Routing out) {
        if (!entry.cell().candidate()) return Standing.NOT_CANDIDATE;
        if (out.hasTried(entry.replica().number())) return Standing.TRIED;
        return Standing.of(entry.cell().exclusion(nowNanos));
    }
}
