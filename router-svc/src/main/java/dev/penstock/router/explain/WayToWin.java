package dev.penstock.router.explain;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.pick.Standing;
import dev.penstock.model.RoutingStrategy.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What would have made a candidate win: a change to the record, with which the decision made again picks it. */
sealed interface WayToWin {
    int MILLI = 1_000;
    int NOBODY = -1;

    /**
     * It did.
     *
     * @param nearTies how many the draw was among
     * @param like how many stood as it did
     * @param lookedAt how many were looked at, whatever their standing
     * @param by the term of a weighted score that put it most before the next one, null without
     */
    record Won(
            int nearTies, int like, int lookedAt, @Nullable Kind by) implements WayToWin {}

    /** The draw was among so many, this one too. */
    record AnotherDraw(int nearTies) implements WayToWin {}

    /**
     * All of this together; what is null, false or 0 need not change.
     *
     * @param freedFrom its standing, had it been that of those which the pick was made from
     * @param fewer requests, to be one of those that the draw was among
     * @param sure requests fewer to be picked by every draw, {@link #NEVER} when that can't be reached; 0 = this draw will do
     * @param moreAtWinner instead of {@code withoutBias} and {@code fewer}: requests more at the picked one; 0 = that would not do
     */
    record Changed(@Nullable Standing freedFrom, boolean withoutBias, int fewer, int sure, int moreAtWinner)
            implements WayToWin {
        static final int NEVER = -1;
    }

    /**
     * Its weighted score was higher.
     *
     * @param freedFrom as in {@link Changed}
     * @param behind by so much, of 1
     * @param by the term that most of it comes from
     */
    record Outscored(@Nullable Standing freedFrom, double behind, Kind by) implements WayToWin {}

    static WayToWin of(Decision decision, Candidate candidate) {
        Contest contest = new Contest(decision);
        if (decision.routed() && candidate.number() == decision.picked()) return won(contest, decision, candidate);
        if (contest.nearTie(candidate)) return new AnotherDraw(contest.nearTies());
        Standing freedFrom = candidate.rank() == contest.standing() ? null : candidate.rank();
        return contest.weighted()
                ? scored(decision, candidate, freedFrom)
                : changed(contest, decision, candidate, freedFrom);
    }

    private static WayToWin won(Contest contest, Decision decision, Candidate candidate) {
        int lookedAt = decision.candidates().size();
        if (!contest.weighted()) return new Won(contest.nearTies(), contest.size(), lookedAt, null);
        Candidate next = ReDecide.ranking(decision).stream()
                .filter(each -> each.rank() == candidate.rank() && each.number() != candidate.number())
                .min(Comparator.comparingDouble(contest::score))
                .orElse(null);
        return new Won(1, contest.size(), lookedAt, next == null ? null : mostly(contest, next, candidate));
    }

    private static WayToWin changed(
            Contest contest, Decision decision, Candidate candidate, @Nullable Standing freedFrom) {
        Contest.Bounds bounds = contest.bounds(candidate);
        long load = candidate.scoreMilli();
        if (bounds.nearTie(load)) {
            boolean picked = candidate.number() == numberOf(ReDecide.pick(freed(decision, candidate)));
            return new Changed(
                    freedFrom, false, 0, picked ? 0 : fewer(load, bounds.sureMilli(), candidate.biasMilli()), 0);
        }
        // What Penstock itself put on is said first; and where a bias alone is too much, no request less would help.
        long bias = candidate.biasMilli();
        boolean withoutBias = bias > 0 && (load - bias <= bounds.tieMilli() || bias > bounds.tieMilli());
        if (withoutBias) load -= bias;
        long least = withoutBias ? 0 : bias;
        return new Changed(
                freedFrom,
                withoutBias,
                fewer(load, bounds.tieMilli(), least),
                fewer(load, bounds.sureMilli(), least),
                moreAtWinner(contest, decision, candidate));
    }

    /** How many requests fewer leave it at most so much load. */
    private static int fewer(long loadMilli, long mostMilli, long leastMilli) {
        if (loadMilli <= mostMilli) return 0;
        if (leastMilli > mostMilli) return Changed.NEVER;
        return (int) Math.ceilDiv(loadMilli - mostMilli, MILLI);
    }

    private static int moreAtWinner(Contest contest, Decision decision, Candidate candidate) {
        Candidate winner = ReDecide.pick(decision);
        if (winner == null) return 0;
        long load = candidate.scoreMilli();
        // Within epsilon of it, or level with it; if neither will do, somebody else is in the way.
        long close = load - contest.bounds(candidate).epsilonMilli() - winner.scoreMilli();
        for (long moreMilli : new long[] {close, load - winner.scoreMilli()}) {
            long more = Math.max(1, Math.ceilDiv(moreMilli, MILLI));
            if (contest.bounds(candidate, winner, more * MILLI).nearTie(load)) return (int) more;
        }
        return 0;
    }

    private static int numberOf(@Nullable Candidate candidate) {
        return candidate == null ? NOBODY : candidate.number();
    }

    private static WayToWin scored(Decision decision, Candidate candidate, @Nullable Standing freedFrom) {
        Decision freed = freedFrom == null ? decision : freed(decision, candidate);
        Contest contest = new Contest(freed);
        Candidate winner = ReDecide.pick(freed);
        if (winner == null || winner.number() == candidate.number()) return new Changed(freedFrom, false, 0, 0, 0);
        double behind = contest.score(candidate) - contest.score(winner);
        return new Outscored(freedFrom, behind, mostly(contest, candidate, winner));
    }

    /** The term that puts the one most behind the other. */
    private static Kind mostly(Contest contest, Candidate behind, Candidate before) {
        return Contest.TERMS.stream()
                .max(Comparator.comparingDouble(term -> contest.part(behind, term) - contest.part(before, term)))
                .orElseThrow();
    }

    /** The record, had the candidate stood as those did that the pick was made from. */
    static Decision freed(Decision decision, Candidate candidate) {
        return with(
                decision,
                new Candidate(
                        candidate.number(),
                        new Contest(decision).standing(),
                        candidate.own(),
                        candidate.peersMilli(),
                        candidate.biasMilli(),
                        candidate.biasCauses(),
                        candidate.weight(),
                        candidate.warmth(),
                        candidate.ageMillis(),
                        candidate.freshness(),
                        candidate.waiting(),
                        candidate.kvUsed()));
    }

    /** The record with another in the place of the candidate of that number. */
    static Decision with(Decision decision, Candidate changed) {
        List<Candidate> candidates = new ArrayList<>(decision.candidates());
        candidates.replaceAll(each -> each.number() == changed.number() ? changed : each);
        return decision.with(candidates);
    }
}
