package dev.penstock.router.explain;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.ReDecide;
import java.util.List;
import java.util.function.IntFunction;

/** One sentence: what would have made the second choice win. */
final class SecondChoice {
    private SecondChoice() {}

    /** @param names of replicas by number */
    static String sentence(Decision decision, IntFunction<String> names) {
        List<Decision.Candidate> ranking = ReDecide.ranking(decision);
        if (ranking.isEmpty()) return "There was no replica to choose.";
        if (ranking.size() == 1) return "There was no second choice.";
        Decision.Candidate first = ranking.get(0);
        Decision.Candidate second = ranking.get(1);
        String name = names.apply(second.number());
        if (second.standing() != first.standing()) return name + excluded(first, second);
        if (second.loadMilli() == first.loadMilli()) {
            return "The two were equal and the draw decided: another draw would have made " + name + " win.";
        }
        long more = requestsAbove(first, second.loadMilli());
        return name + " would have won had " + names.apply(first.number()) + " had " + more + " more "
                + (more == 1 ? "request" : "requests") + " in flight.";
    }

    private static String excluded(Decision.Candidate first, Decision.Candidate second) {
        String reason = Words.of(second.standing());
        if (second.loadMilli() < first.loadMilli()) return " would have won had it not been excluded (" + reason + ").";
        if (second.loadMilli() == first.loadMilli()) {
            return " would have had an even chance had it not been excluded (" + reason + ").";
        }
        return " was excluded (" + reason + "), and would have won without that only with less load.";
    }

    /** How many more requests lift the load above another: within a ramp each counts for more than one. */
    private static long requestsAbove(Decision.Candidate candidate, long loadMilli) {
        double counted = candidate.own() * 1000L + candidate.peersMilli() + 1000;
        double perRequest = 1000 * (candidate.loadMilli() + 1000) / counted;
        return (long) Math.floor((loadMilli - candidate.loadMilli()) / perRequest) + 1;
    }
}
