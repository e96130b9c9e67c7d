package dev.penstock.core.explain;

import dev.penstock.core.pick.PickOrder;
import dev.penstock.core.pick.TieBreak;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a recorded decision again, from what is in the record alone and in whatever order it is there. */
public final class ReDecide {
    private ReDecide() {}

    /** The candidates a request might be sent to, in the order that the pick is made from: none means refused. */
    public static List<Decision.Candidate> ranking(Decision decision) {
        return decision.candidates().stream()
                .sorted(Comparator.comparing(Decision.Candidate::rank)
                        .thenComparingLong(Decision.Candidate::scoreMilli)
                        .thenComparingLong(each -> TieBreak.key(decision.draw(), each.number())))
                // Nobody excluded takes the place of one that only lacks a slot.
                .takeWhile(each -> each.standing().eligible())
                .toList();
    }

    /** The one that is picked from the ranking, null when refused. */
    public static Decision.@Nullable Candidate pick(Decision decision) {
        return pick(ranking(decision), decision.order(), decision.draw());
    }

    private static Decision.@Nullable Candidate pick(List<Decision.Candidate> ranking, long order, long draw) {
        if (ranking.isEmpty()) return null;
        List<Decision.Candidate> like = ranking.stream()
                .filter(each -> each.rank() == ranking.getFirst().rank())
                .toList();
        return like.get(PickOrder.pick(order, draw, like.size(), field(like)));
    }

    /** What a pick reads of candidates, in their order. */
    public static PickOrder.Field field(List<Decision.Candidate> candidates) {
        return new PickOrder.Field(
                candidates.stream().mapToLong(Decision.Candidate::scoreMilli).toArray(),
                candidates.stream().mapToInt(Decision.Candidate::warmth).toArray(),
                candidates.stream().mapToInt(Decision.Candidate::number).toArray());
    }

    /** True when the decision made again is the one that was made. */
    public static boolean agrees(Decision decision) {
        Decision.Candidate again = pick(decision);
        if (again == null) return !decision.routed();
        return decision.routed() && again.number() == decision.picked();
    }
}
