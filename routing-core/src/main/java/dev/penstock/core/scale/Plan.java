package dev.penstock.core.scale;

import java.util.Map;

/**
 * How many replicas a pool wants, and what the number is made of.
 *
 * @param desired replicas wanted
 * @param replicas present
 * @param active false only when nothing was asked for long enough that the pool may go to zero
 * @param holdReason empty = computed; otherwise why the number is held
 * @param needed replicas that carry the mean demand, and the pool's minimum
 * @param headroom replicas on top
 * @param maxOverDownWindow most that were needed to carry the demand within the down-window
 * @param panic the pool has less than the last seconds ask for
 */
public record Plan(
        int desired,
        int replicas,
        boolean active,
        String holdReason,
        PoolDemand demand,
        ScalingRule rule,
        int needed,
        int headroom,
        int maxOverDownWindow,
        boolean panic,
        int silentRouters) {

    /** By name, for people and dashboards. */
    public Map<String, Double> components() {
        return Map.ofEntries(
                Map.entry("demandCurrent", demand.current()),
                Map.entry("demandMean60s", demand.longMean()),
                Map.entry("demandMean6s", demand.shortMean()),
                Map.entry("running", (double) demand.running()),
                Map.entry("queued", (double) demand.queued()),
                Map.entry("unserved", demand.unservedPerSecond()),
                Map.entry("serviceSeconds", demand.serviceSeconds()),
                Map.entry("effectiveConcurrency", rule.effectiveConcurrency()),
                Map.entry("needed", (double) needed),
                Map.entry("headroom", (double) headroom),
                Map.entry("maxOverDownWindow", (double) maxOverDownWindow),
                Map.entry("minReplicas", (double) rule.min()),
                Map.entry("replicas", (double) replicas),
                Map.entry("panic", panic ? 1.0 : 0.0),
                Map.entry("silentRouters", (double) silentRouters));
    }
}
