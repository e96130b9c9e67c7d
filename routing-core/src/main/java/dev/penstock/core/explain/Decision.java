package dev.penstock.core.explain;

import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.Standing;
import dev.penstock.model.Freshness;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One decision as it was made, taken out of a {@link DecisionRing}.
 *
 * @param request the number in the request's id
 * @param attempt 1 for the first
 * @param draw what broke ties
 * @param picked the replica's number; says nothing when the reason is a refusal
 * @param candidates the best eight of the pool, by standing and load
 * @param counts how many replicas of the pool stood how
 */
public record Decision(
        long request,
        int attempt,
        long viewVersion,
        long nowNanos,
        long draw,
        Routing.Reason reason,
        int picked,
        List<Candidate> candidates,
        Map<Standing, Integer> counts) {

    public Decision {
        candidates = List.copyOf(candidates);
        counts = new EnumMap<>(counts);
    }

    /**
     * A replica as this decision saw it.
     *
     * @param own requests this router had in flight there
     * @param peersMilli requests of other routers, in thousandths
     * @param loadMilli what it was ranked by: both together, more within a ramp
     * @param ageMillis of its last sample, -1 without one
     */
    public record Candidate(
            int number,
            Standing standing,
            int own,
            int peersMilli,
            long loadMilli,
            int ageMillis,
            Freshness freshness) {}

    public boolean routed() {
        return reason == Routing.Reason.LEAST_REQUEST || reason == Routing.Reason.PANIC;
    }
}
