package dev.penstock.core.explain;

import dev.penstock.core.pick.TieBreak;
import java.util.Comparator;
import java.util.List;

/** Makes a recorded decision again, from what is in the record alone and in whatever order it is there. */
public final class ReDecide {
    private ReDecide() {}

    /** The candidates a request might be sent to, best first: the first is the pick, none means refused. */
    public static List<Decision.Candidate> ranking(Decision decision) {
        return decision.candidates().stream()
                .filter(each -> each.standing().eligible())
                .sorted(Comparator.comparing(Decision.Candidate::standing)
                        .thenComparingLong(Decision.Candidate::loadMilli)
                        .thenComparingLong(each -> TieBreak.key(decision.draw(), each.number())))
                .toList();
    }

    /** True when the decision made again is the one that was made. */
    public static boolean agrees(Decision decision) {
        List<Decision.Candidate> ranking = ranking(decision);
        if (ranking.isEmpty()) return !decision.routed();
        return decision.routed() && ranking.getFirst().number() == decision.picked();
    }
}
