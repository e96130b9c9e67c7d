package dev.penstock.core.explain;

import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.HotRow;
import dev.penstock.model.Freshness;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One decision as it was made, taken out of a {@link DecisionRing}.
 *
 * @param request the number in the request's id
 * @param attempt 1 for the first
 * @param draw what broke ties and drew among near-ties
 * @param order how one of the candidates was picked, see {@link dev.penstock.core.pick.PickOrder}
 * @param degraded most of the pool's telemetry was not FRESH
 * @param picked the replica's number; says nothing when the reason is a refusal
 * @param candidates the best eight that were looked at, by standing and score, and who is warm where a blend weighs that
 * @param counts how many replicas of the pool stood how
 */
public record Decision(
        long request,
        int attempt,
        long viewVersion,
        long nowNanos,
        long draw,
        long order,
        Routing.Reason reason,
        boolean degraded,
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
     * @param biasMilli what was added for {@code biasCauses}, in thousandths of a request
     * @param biasCauses which of {@link dev.penstock.core.view.Bias} it is made of
     * @param weight what a request weighs there, in 1,024ths; even for all where the strategy asks for no weights
     * @param warmth why it was worth more to this request than its load says, see {@link Warmth}
     * @param ageMillis of its last sample, -1 without one
     * @param waiting requests that waited in the engine as of that sample
     * @param kvUsed share of the KV cache, 0 to 1, or -1 when unknown
     */
    public record Candidate(
            int number,
            Standing standing,
            int own,
            int peersMilli,
            int biasMilli,
            int biasCauses,
            int weight,
            int warmth,
            int ageMillis,
            Freshness freshness,
            int waiting,
            double kvUsed) {

        /** Own, peers and bias together. */
        public long loadMilli() {
            return HotRow.loadMilli(own, peersMilli, biasMilli);
        }

        /** What it was ranked by: the load by what it weighs, less the credit. */
        public long scoreMilli() {
            return HotRow.scoreMilli(loadMilli(), weight) - creditMilli();
        }

        /** What it was ranked as. */
        public Standing rank() {
            return standing.rank(warmth);
        }

        public int creditMilli() {
            return Warmth.creditMilli(warmth);
        }

        /** The most load with which its score is at most that; -1 when there is none. */
        public long loadMilli(long mostScoreMilli) {
            return HotRow.loadMilli(mostScoreMilli + creditMilli(), weight);
        }
    }

    /** The same with other candidates. */
    public Decision with(List<Candidate> others) {
        return new Decision(
                request, attempt, viewVersion, nowNanos, draw, order, reason, degraded, picked, others, counts);
    }

    public boolean routed() {
        return switch (reason) {
            case STRATEGY, CONTENDED, PANIC, BOUND -> true;
            case UNKNOWN_MODEL, NO_REPLICA, NO_SLOT -> false;
        };
    }
}
