package dev.penstock.model;

import java.util.Map;

/**
 * The advice owner's answer for one pool.
 *
 * @param desired replicas wanted
 * @param replicas present when it was computed
 * @param demandMilli requests at once that are asked for, in thousandths
 * @param components what {@code desired} is made of, by name
 * @param active false only when nothing was asked for long enough that the pool may go to zero
 * @param holdReason empty = inputs are fresh; otherwise why the number is held
 * @param targetPerReplica requests at once that a replica is planned for
 */
public record PoolTarget(
        Header header,
        PoolId pool,
        int desired,
        int replicas,
        long demandMilli,
        Map<String, Double> components,
        boolean active,
        String holdReason,
        long inputsAgeMicros,
        double targetPerReplica) {
    public PoolTarget {
        components = Map.copyOf(components);
    }
}
