package dev.penstock.router.explain;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.Bias;
import dev.penstock.model.RoutingStrategy.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What would have made a candidate win: a change to the record, with which the decision made again picks it. */
sealed interface WayToWin {
    int MILLI = 1_000;
    int NOBODY = -1;

    /** Requests at one replica beyond which nobody is told of. */
    int MOST_MORE = 100_000;

    /**
     * It did.
     *
     * @param nearTies how many the draw was among
     * @param like how many stood as it did
     * @param lookedAt how many were looked at, whatever their standing
     * @param by the term of a weighted score that put it most before the next one, null without
     * @param what of a pick that was not drawn
     */
    record Won(
            int nearTies, int like, int lookedAt, @Nullable Kind by, Why what) implements WayToWin {}

    /** Why the first of the ranking was that. */
    enum Why {
        LEAST_LOADED,
        /** Others have less load, which weighs more there. */
        LEAST_SCORE,
        /** Without its credit another might have been picked. */
        WARMTH
    }

    /** The draw was among so many, this one too. */
    record AnotherDraw(int nearTies) implements WayToWin {}

    /**
     * All of this together; what is null, false or 0 need not change.
     *
     * @param freedFrom its standing, had it been that of those which the pick was made from
     * @param fewer requests there, to be one of those that the draw was among
     * @param sure requests fewer to be picked by every draw, {@link #NEVER} when that can't be reached; 0 = this draw will do
     * @param moreAtWinner instead of {@code withoutBias} and {@code fewer}: requests more at the picked one; 0 = that would not do
     */
    record Changed(@Nullable Standing freedFrom, boolean withoutBias, int fewer, int sure, int moreAtWinner)
            implements WayToWin {
        static final int NEVER = -1;
    }

    /**
     * No load is little enough.
     *
     * @param freedFrom as in {@link Changed}
     * @param warmth it would win idle, were it as warm as the winner, and
     * @param weight did a request weigh no more there than at the winner
     * @param winner the picked one
     * @param moreAtWinner as in {@link Changed}
     */
    record NotEvenIdle(@Nullable Standing freedFrom, boolean warmth, boolean weight, Candidate winner, int moreAtWinner)
            implements WayToWin {}

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
        if (!contest.weighted())
            return new Won(contest.nearTies(), contest.size(), lookedAt, null, why(contest, candidate));
        Candidate next = ReDecide.ranking(decision).stream()
                .filter(each -> each.rank() == candidate.rank() && each.number() != candidate.number())
                .min(Comparator.comparingDouble(contest::score))
                .orElse(null);
        Kind by = next == null ? null : mostly(contest, next, candidate);
        return new Won(1, contest.size(), lookedAt, by, by == null ? Why.LEAST_LOADED : Why.LEAST_SCORE);
    }

    private static Why why(Contest contest, Candidate winner) {
        Candidate cold = like(winner, Warmth.NONE, winner.weight());
        if (cold.scoreMilli() > contest.bounds(cold).sureMilli() && winner.creditMilli() > 0) return Why.WARMTH;
        boolean leastLoaded = contest.others(winner).stream().allMatch(each -> each.loadMilli() >= winner.loadMilli());
        return leastLoaded ? Why.LEAST_LOADED : Why.LEAST_SCORE;
    }

    private static WayToWin changed(
            Contest contest, Decision decision, Candidate candidate, @Nullable Standing freedFrom) {
        // Freed to stand as those who ramp, what has the session ranks before them.
        boolean alone = freedFrom != null && contest.standing().rank(candidate.warmth()) != contest.standing();
        if (alone) return new Changed(freedFrom, false, 0, 0, 0);
        Contest.Bounds bounds = contest.bounds(candidate);
        long load = candidate.loadMilli();
        long bias = candidate.biasMilli();
        long sure = mostLoadMilli(candidate, bounds.sureMilli());
        if (bounds.nearTie(candidate.scoreMilli())) {
            boolean picked = candidate.number() == numberOf(ReDecide.pick(freed(decision, candidate)));
            return new Changed(freedFrom, false, 0, picked ? 0 : fewer(load, sure, bias), 0);
        }
        long tie = mostLoadMilli(candidate, bounds.tieMilli());
        int more = moreAtWinner(contest, decision, candidate);
        long stays = biasThatStays(candidate);
        if (tie < stays) return notEvenIdle(contest, decision, candidate, freedFrom, more);
        // What Penstock itself put on is said first; and where a bias alone is too much, no request less would help.
        boolean withoutBias = bias > stays && (load - bias <= tie || bias > tie);
        if (withoutBias) load -= bias;
        long least = withoutBias ? 0 : bias;
        return new Changed(freedFrom, withoutBias, fewer(load, tie, least), fewer(load, sure, least), more);
    }

    /** A pin at a new replica is credited what its being new adds: one without the other would change nothing. */
    static int biasThatStays(Candidate candidate) {
        boolean isNew = Bias.SLOW_START.in(candidate.biasCauses()) || Bias.RAMP.in(candidate.biasCauses());
        return isNew && Warmth.tie(candidate.warmth()) == Warmth.Tie.PINNED ? candidate.biasMilli() : 0;
    }

    /** The most load with which its score is at most that; -1 when it has a higher one without any. */
    private static long mostLoadMilli(Candidate candidate, long mostScoreMilli) {
        return mostScoreMilli == Long.MAX_VALUE ? Long.MAX_VALUE : candidate.loadMilli(mostScoreMilli);
    }

    /** How many requests fewer leave it at most so much load. */
    private static int fewer(long loadMilli, long mostMilli, long leastMilli) {
        if (loadMilli <= mostMilli) return 0;
        if (leastMilli > mostMilli) return Changed.NEVER;
        return (int) Math.ceilDiv(loadMilli - mostMilli, MILLI);
    }

    /** What the winner has that it has not: its credit, or its weight, or only both do. */
    private static WayToWin notEvenIdle(
            Contest contest, Decision decision, Candidate candidate, @Nullable Standing freedFrom, int more) {
        Candidate winner = Objects.requireNonNull(ReDecide.pick(decision));
        boolean byWarmth = idleWins(contest, like(candidate, winner.warmth(), candidate.weight()), 0);
        boolean byWeight = !byWarmth
                && idleWins(contest, like(candidate, candidate.warmth(), winner.weight()), biasThatStays(candidate));
        return new NotEvenIdle(freedFrom, !byWeight, !byWarmth, winner, more);
    }

    /** True when with no more load than that the draw might pick it. */
    private static boolean idleWins(Contest contest, Candidate candidate, long loadMilli) {
        return mostLoadMilli(candidate, contest.bounds(candidate).tieMilli()) >= loadMilli;
    }

    private static int moreAtWinner(Contest contest, Decision decision, Candidate candidate) {
        Candidate winner = ReDecide.pick(decision);
        if (winner == null) return 0;
        long score = candidate.scoreMilli();
        // Within epsilon of it, level with it, or past others that are no more in the way then.
        LongStream others = contest.others(winner).stream().mapToLong(Candidate::scoreMilli);
        LongStream own = LongStream.of(score, score - contest.bounds(candidate).epsilonMilli());
        return LongStream.concat(own, others)
                .map(least -> moreToScore(winner, least))
                .filter(more -> more <= MOST_MORE)
                .sorted()
                .distinct()
                .filter(more ->
                        contest.bounds(candidate, heavier(winner, (int) more)).nearTie(score))
                .mapToInt(more -> (int) more)
                .findFirst()
                .orElse(0);
    }

    /** How many requests more give it at least that score; 1 at least. */
    private static long moreToScore(Candidate candidate, long leastScoreMilli) {
        long least = candidate.loadMilli(leastScoreMilli - 1) + 1;
        return Math.max(1, Math.ceilDiv(least - candidate.loadMilli(), MILLI));
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
                changed(
                        candidate,
                        new Contest(decision).standing(),
                        candidate.own(),
                        candidate.weight(),
                        candidate.warmth()));
    }

    /** It, with so many requests more. */
    static Candidate heavier(Candidate candidate, int more) {
        return changed(candidate, candidate.standing(), candidate.own() + more, candidate.weight(), candidate.warmth());
    }

    /** It, were it as warm as that, and weighed a request so much there. */
    static Candidate like(Candidate candidate, int warmth, int weight) {
        return changed(candidate, candidate.standing(), candidate.own(), weight, warmth);
    }

    private static Candidate changed(Candidate candidate, Standing standing, int own, int weight, int warmth) {
        return new Candidate(
                candidate.number(),
                standing,
                own,
                candidate.peersMilli(),
                candidate.biasMilli(),
                candidate.biasCauses(),
                weight,
                warmth,
                candidate.ageMillis(),
                candidate.freshness(),
                candidate.waiting(),
                candidate.kvUsed());
    }

    /** The record with another in the place of the candidate of that number. */
    static Decision with(Decision decision, Candidate changed) {
        List<Candidate> candidates = new ArrayList<>(decision.candidates());
        candidates.replaceAll(each -> each.number() == changed.number() ? changed : each);
        return decision.with(candidates);
    }
}
