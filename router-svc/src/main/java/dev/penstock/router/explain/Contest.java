package dev.penstock.router.explain;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.pick.PickOrder;
import dev.penstock.core.pick.Standing;
import dev.penstock.model.RoutingStrategy.Kind;
import java.util.Comparator;
import java.util.List;

/** Those that a pick was made from: the first of the ranking, and all that stand as it does. */
final class Contest {
    /** The terms of a weighted score, by the strategy that each is. */
    static final List<Kind> TERMS = List.of(
            Kind.RANDOM, Kind.LEAST_REQUEST, Kind.LEAST_REQUEST_TOP_K, Kind.PREFIX_CACHE, Kind.SESSION_AFFINITY);

    /** Scores are whole thousandths of each term. */
    private static final double SAME = 1e-9;

    private final long order;
    private final long draw;
    private final List<Candidate> like;
    private final PickOrder.Field field;

    Contest(Decision decision) {
        order = decision.order();
        draw = decision.draw();
        List<Candidate> ranking = ReDecide.ranking(decision);
        like = ranking.stream()
                .filter(each -> each.rank() == ranking.getFirst().rank())
                .toList();
        field = ReDecide.field(like);
    }

    boolean weighted() {
        return PickOrder.weighted(order);
    }

    /** How those stand that the pick was made from; who nobody was left of might have stood best. */
    Standing standing() {
        return like.isEmpty() ? Standing.ROUTABLE : like.getFirst().rank();
    }

    /** True when the draw might have picked it. */
    boolean nearTie(Candidate candidate) {
        int at = place(candidate);
        if (at < 0) return false;
        if (weighted()) return Math.abs(score(at) - score(winner())) < SAME;
        return bounds(candidate).nearTie(candidate.scoreMilli());
    }

    int nearTies() {
        return (int) like.stream().filter(this::nearTie).count();
    }

    int size() {
        return like.size();
    }

    /** What this candidate's score has to be held against, were it one of those that the pick was made from. */
    Bounds bounds(Candidate candidate) {
        return bounds(candidate, candidate);
    }

    /** The same had one of the others another load. */
    Bounds bounds(Candidate candidate, Candidate changed) {
        List<Candidate> others = like.stream()
                .filter(each -> each.number() != candidate.number())
                .map(each -> each.number() == changed.number() ? changed : each)
                .sorted(Comparator.comparingLong(Candidate::scoreMilli))
                .toList();
        long[] scores = others.stream().mapToLong(Candidate::scoreMilli).toArray();
        boolean allWarm =
                others.stream().filter(each -> each.scoreMilli() == scores[0]).allMatch(each -> each.creditMilli() > 0);
        return new Bounds(
                PickOrder.k(order),
                PickOrder.epsilonMilli(order),
                scores,
                !others.isEmpty() && allWarm,
                candidate.creditMilli() > 0);
    }

    /** Those that the pick was made from, but for this one. */
    List<Candidate> others(Candidate candidate) {
        return like.stream().filter(each -> each.number() != candidate.number()).toList();
    }

    /** The weighted score, 0 to 1, the least of which is picked. */
    double score(Candidate candidate) {
        return score(place(candidate));
    }

    /** What a term adds to it. */
    double part(Candidate candidate, Kind term) {
        return part(place(candidate), term);
    }

    private double score(int at) {
        return TERMS.stream().mapToDouble(term -> part(at, term)).sum();
    }

    private double part(int at, Kind term) {
        return PickOrder.part(order, term, draw, like.size(), field, at);
    }

    private int winner() {
        return PickOrder.pick(order, draw, like.size(), field);
    }

    /** -1 when it is none of them. */
    private int place(Candidate candidate) {
        for (int i = 0; i < like.size(); i++) if (field.number()[i] == candidate.number()) return i;
        return -1;
    }

    /**
     * How high a candidate's score may be: the draw is among the k least scores within epsilon of the least, and equal scores
     * are put in order by the draw too. Who is first with a credit is picked, whoever is near.
     *
     * @param others their scores, least first
     * @param firstIsWarm all that have the least of them have a credit
     * @param warm the candidate has one
     */
    record Bounds(int k, long epsilonMilli, long[] others, boolean firstIsWarm, boolean warm) {
        boolean nearTie(long scoreMilli) {
            return scoreMilli <= tieMilli();
        }

        /** The highest score with which the draw may pick it; {@link Long#MAX_VALUE} = any. */
        long tieMilli() {
            if (others.length == 0) return Long.MAX_VALUE;
            if (firstIsWarm) return others[0];
            long close = others[0] + epsilonMilli;
            return others.length < k ? close : Math.min(close, others[k - 1]);
        }

        /** The highest score with which every draw picks it. */
        long sureMilli() {
            if (others.length == 0) return Long.MAX_VALUE;
            return (k == 1 || warm ? others[0] : others[0] - epsilonMilli) - 1;
        }
    }
}
