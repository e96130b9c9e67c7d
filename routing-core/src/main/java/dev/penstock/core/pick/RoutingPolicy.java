package dev.penstock.core.pick;

import dev.penstock.core.view.Candidates;
import dev.penstock.core.view.HotRow;
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
        list.start(draw, 0, false);
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
            list.start(draw, order, degraded);
            boolean contended = !gather(candidates, rule, draw, out);
            if (out.attempts() > 0) countTried(view, model, out);
            int best = list.pick();
            if (best == Shortlist.NOBODY) {
                out.refused(Routing.Reason.NO_REPLICA);
                return;
            }
            ReplicaEntry entry = candidates.entry(list.slot(best));
            Standing standing = list.standing(best);
            boolean last = look == LOOKS;
            if (!last && !standing.is(entry.cell().exclusion(nowNanos))) {
                // Rows are of the last event or refresh; who is sent to is judged by all there is.
                entry.cell().renew(nowNanos);
            } else if (!standing.sound()) {
                if (last || list.count(Standing.ROUTABLE) == 0 || contended) {
                    out.routed(entry, list.number(best), Routing.Reason.PANIC);
                    return;
                }
                // The index has routable ones, and those it named first are not: it learns that, and is asked again.
                correct(candidates, list);
            } else if (entry.cell().enter(nowNanos)) {
                out.routed(entry, list.number(best), contended ? Routing.Reason.CONTENDED : Routing.Reason.STRATEGY);
                return;
            } else if (last) {
                out.routed(entry, list.number(best), Routing.Reason.PANIC);
                return;
            }
        }
    }

    /** Fills the shortlist; false when the index could not be had. */
    private static boolean gather(Candidates candidates, PickRule rule, long draw, Routing out) {
        Shortlist list = out.shortlist();
        int found = Candidates.CONTENDED;
        boolean indexed = rule.draws() == 0;
        if (indexed) {
            int most = Shortlist.SIZE + out.attempts();
            found = candidates.lowest(list.slots, most, draw, list.classCounts);
        }
        if (found == Candidates.CONTENDED) {
            candidates.count(list.classCounts);
            list.countClasses(candidates.size());
            drawn(candidates, indexed ? CONTENDED_DRAWS : rule.draws(), draw, out);
            return !indexed;
        }
        list.countClasses(candidates.size());
        list.fetched = candidates.fetch(list.slots, found);
        for (int i = 0; i < found; i++) consider(candidates, list.slots[i], out);
        return true;
    }

    private static void consider(Candidates candidates, int slot, Routing out) {
        Standing standing = standing(candidates, slot);
        if (standing != Standing.NOT_CANDIDATE && tried(candidates, slot, out)) standing = Standing.TRIED;
        out.shortlist().consider(candidates, slot, standing);
    }

    /** So many routable replicas, each with the same chance; if none is found in a few tries, the best of all. */
    private static void drawn(Candidates candidates, int draws, long draw, Routing out) {
        Shortlist list = out.shortlist();
        int all = candidates.size();
        for (int i = 0; i < TRIES_PER_DRAW * draws && list.size() < Math.min(draws, all); i++) {
            int slot = (int) ((TieBreak.key(~draw, i) >>> 32) * all >>> 32);
            if (list.has(slot) || tried(candidates, slot, out)) continue;
            if (standing(candidates, slot) == Standing.ROUTABLE) list.consider(candidates, slot, Standing.ROUTABLE);
        }
        if (list.size() > 0) return;
        for (int slot = 0; slot < all; slot++) consider(candidates, slot, out);
    }

    /** What this request has tried is counted as that, and no longer by how it stands. */
    private static void countTried(RosterImage view, String model, Routing out) {
        for (int i = 0; i < out.attempts(); i++) {
            ReplicaEntry entry = view.byNumber(out.tried(i));
            if (entry == null || !entry.replica().models().contains(model)) continue;
            Standing standing = Standing.ofClass(entry.cell().inClass());
            if (standing != Standing.NOT_CANDIDATE) out.shortlist().countTried(standing);
        }
    }

    private static void correct(Candidates candidates, Shortlist list) {
        for (int i = 0; i < list.size(); i++) candidates.touch(list.slot(i));
    }

    private static boolean tried(Candidates candidates, int slot, Routing out) {
        return out.attempts() > 0 && out.hasTried(HotRow.number(candidates.row(slot), candidates.rowAt(slot)));
    }

    private static Standing standing(Candidates candidates, int slot) {
        long[] words = candidates.row(slot);
        int at = candidates.rowAt(slot);
        return Standing.ofClass(HotRow.inClass(words, at, HotRow.own(words, at)));
    }
}
