package dev.penstock.core.pick;

import dev.penstock.core.view.Bias;
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
 * One without a free slot is never used, and where only slots are missing nobody excluded takes its place: none is chosen.
 * If another event loop has the index, the best of four drawn replicas is used. Stateless; a trial or a half-open permit is
 * entered here, so that one request at a time uses it.
 */
public final class RoutingPolicy {
    /** A trial may be taken by another event loop between the look and the entry: then it looks again. */
    private static final int LOOKS = 3;

    static final int CONTENDED_DRAWS = 4;
    private static final int TRIES_PER_DRAW = 8;
    private static final int NOWHERE = -1;
    private static final int WHOLE_MILLI = 1_000;

    /** For a request without affinities. */
    public void route(
            RosterImage view, String model, PickRule rule, long nowNanos, RandomGenerator random, Routing out) {
        route(view, model, rule, Affinity.NONE, nowNanos, random, out);
    }

    /** Picks into {@code out}, passing over what {@code out} has tried. */
    public void route(
            RosterImage view,
            String model,
            PickRule rule,
            Affinity affinity,
            long nowNanos,
            RandomGenerator random,
            Routing out) {
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
            boolean contended = !gather(candidates, rule, affinity, draw, out);
            if (out.attempts() > 0) countTried(view, model, out);
            int best = list.pick();
            if (best == Shortlist.NOBODY) {
                if (look < LOOKS && !contended && list.lacksSlot() && list.indexKnowsBetter()) {
                    correct(candidates, list);
                    continue;
                }
                out.refused(list.lacksSlot() ? Routing.Reason.NO_SLOT : Routing.Reason.NO_REPLICA);
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

    /**
     * For a request that only one replica can serve: that one, however it stands, unless it was never seen FRESH, is asleep, or
     * does not serve the model. It may have been tried before.
     */
    public void routeTo(
            RosterImage view,
            String model,
            PickRule rule,
            int number,
            long nowNanos,
            RandomGenerator random,
            Routing out) {
        Shortlist list = out.shortlist();
        long draw = random.nextLong();
        list.start(draw, 0, false);
        Candidates candidates = view.candidates(model);
        if (candidates == null) {
            out.refused(Routing.Reason.UNKNOWN_MODEL);
            return;
        }
        int slot = candidates.slotOf(number);
        if (slot == NOWHERE || out.attempts() == Routing.MAX_ATTEMPTS) {
            out.refused(Routing.Reason.NO_REPLICA);
            return;
        }
        list.start(draw, rule.order(candidates.pool()), candidates.pool().degraded());
        ReplicaEntry entry = candidates.entry(slot);
        entry.cell().renew(nowNanos);
        candidates.count(list.classCounts);
        list.countClasses(candidates.size());
        Standing standing = standing(candidates, slot);
        list.consider(candidates, slot, standing, rule.byScore(), Warmth.NONE);
        if (!standing.eligible()) {
            out.refused(standing.lacksSlot() ? Routing.Reason.NO_SLOT : Routing.Reason.NO_REPLICA);
            return;
        }
        entry.cell().enter(nowNanos);
        out.routed(entry, number, Routing.Reason.BOUND);
    }

    /** Fills the shortlist; false when the index could not be had. */
    private static boolean gather(Candidates candidates, PickRule rule, Affinity affinity, long draw, Routing out) {
        Shortlist list = out.shortlist();
        boolean warm = !affinity.none() && considerWarm(candidates, rule, affinity, out);
        int found = Candidates.CONTENDED;
        boolean indexed = rule.draws() == 0;
        if (indexed) {
            int most = Shortlist.SIZE + out.attempts();
            found = candidates.lowest(rule.basis(), list.slots, most, draw, list.classCounts);
        }
        if (found == Candidates.CONTENDED) {
            candidates.count(list.classCounts);
            list.countClasses(candidates.size());
            drawn(candidates, rule, indexed ? CONTENDED_DRAWS : rule.draws(), draw, out);
            return !indexed;
        }
        list.countClasses(candidates.size());
        list.fetched = candidates.fetch(list.slots, found);
        for (int i = 0; i < found; i++) {
            int slot = list.slots[i];
            if (!warm || !list.has(slot)) consider(candidates, rule, slot, Warmth.NONE, out);
        }
        return true;
    }

    private static void consider(Candidates candidates, PickRule rule, int slot, int warmth, Routing out) {
        Standing standing = standing(candidates, slot);
        if (standing != Standing.NOT_CANDIDATE && tried(candidates, slot, out)) standing = Standing.TRIED;
        out.shortlist().consider(candidates, slot, standing, rule.byScore(), warmth);
    }

    /** Those that the request has an affinity to come first: the index need not name them. Returns whether there are any. */
    private static boolean considerWarm(Candidates candidates, PickRule rule, Affinity affinity, Routing out) {
        Shortlist list = out.shortlist();
        boolean session = rule.session() && affinity.sessionKey() != Affinity.NO_SESSION;
        int pinned = session && affinity.pinned() != Affinity.NOBODY ? candidates.slotOf(affinity.pinned()) : NOWHERE;
        int found = 0;
        if (pinned != NOWHERE) list.slots[found++] = pinned;
        int owners = rule.prefix() ? affinity.owners() : 0;
        for (int i = 0; i < owners; i++) {
            int slot = candidates.slotOf(affinity.owner(i));
            if (slot != NOWHERE) list.slots[found++] = slot;
        }
        list.fetched = candidates.fetch(list.slots, found);
        if (session) {
            if (pinned != NOWHERE && sound(candidates, pinned, out)) {
                considerWarm(candidates, rule, affinity, pinned, Warmth.Tie.PINNED, out);
            } else {
                considerPlaces(candidates, rule, affinity, out);
            }
        }
        for (int i = pinned == NOWHERE ? 0 : 1; i < found; i++) {
            if (!list.has(list.slots[i])) considerWarm(candidates, rule, affinity, list.slots[i], Warmth.Tie.NONE, out);
        }
        return list.size() > 0;
    }

    /** Nobody has the session, or who had it is lost: every router finds the same places for it. */
    private static void considerPlaces(Candidates candidates, PickRule rule, Affinity affinity, Routing out) {
        int[] places = out.shortlist().places;
        int found = candidates.ring().targets(affinity.sessionKey(), places);
        Warmth.Tie tie = Warmth.Tie.FIRST;
        for (int i = 0; i < found && tie != Warmth.Tie.NONE; i++) {
            if (!open(candidates, places[i], out)) continue;
            considerWarm(candidates, rule, affinity, places[i], tie, out);
            tie = tie == Warmth.Tie.FIRST ? Warmth.Tie.SECOND : Warmth.Tie.NONE;
        }
    }

    private static void considerWarm(
            Candidates candidates, PickRule rule, Affinity affinity, int slot, Warmth.Tie tie, Routing out) {
        int number = HotRow.number(candidates.row(slot), candidates.rowAt(slot));
        int hit = rule.prefix() ? affinity.hitMilli(number) : 0;
        long credit = 0;
        if (!rule.weighted()) {
            credit = (long) Credit.prefixMilli(candidates.pool()) * hit
                    + sessionMilli(candidates, slot, tie) * tie.milli();
        }
        consider(candidates, rule, slot, Warmth.of(hit, tie, credit / WHOLE_MILLI), out);
    }

    private static long sessionMilli(Candidates candidates, int slot, Warmth.Tie tie) {
        return tie == Warmth.Tie.PINNED
                ? Credit.sessionMilli(candidates.pool()) + startingMilli(candidates, slot)
                : Credit.placeMilli(candidates.pool());
    }

    /** What a new replica's score is raised by for being new: its own sessions are there already. */
    private static long startingMilli(Candidates candidates, int slot) {
        long[] words = candidates.row(slot);
        int at = candidates.rowAt(slot);
        int causes = HotRow.biasCauses(words, at);
        if (!Bias.SLOW_START.in(causes) && !Bias.RAMP.in(causes)) return 0;
        int weight = HotRow.weight(words, at);
        return HotRow.scoreMilli(HotRow.biasMilli(words, at), weight) - HotRow.scoreMilli(0, weight);
    }

    /** True when a session may be there, and has not been tried there. */
    private static boolean sound(Candidates candidates, int slot, Routing out) {
        return standing(candidates, slot).sound() && !tried(candidates, slot, out);
    }

    /** True when a session may be there, and has not been tried there: not while it is ramping and full for now. */
    private static boolean open(Candidates candidates, int slot, Routing out) {
        return standing(candidates, slot) == Standing.ROUTABLE && !tried(candidates, slot, out);
    }

    /** So many routable replicas, each with the same chance; if none is found in a few tries, the best of all. */
    private static void drawn(Candidates candidates, PickRule rule, int draws, long draw, Routing out) {
        Shortlist list = out.shortlist();
        int before = list.size();
        int all = candidates.size();
        for (int i = 0; i < TRIES_PER_DRAW * draws && list.size() < Math.min(before + draws, all); i++) {
            int slot = (int) ((TieBreak.key(~draw, i) >>> 32) * all >>> 32);
            if (list.has(slot) || tried(candidates, slot, out)) continue;
            if (standing(candidates, slot) == Standing.ROUTABLE) {
                list.consider(candidates, slot, Standing.ROUTABLE, rule.byScore(), Warmth.NONE);
            }
        }
        if (list.size() > before) return;
        for (int slot = 0; slot < all; slot++) {
            if (!list.has(slot)) consider(candidates, rule, slot, Warmth.NONE, out);
        }
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
        return Standing.ofClass(HotRow.inClass(words, at));
    }
}
