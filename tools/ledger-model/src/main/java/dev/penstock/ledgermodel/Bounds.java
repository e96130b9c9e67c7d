package dev.penstock.ledgermodel;

/**
 * How large the world may get.
 *
 * @param names of routers
 * @param lives of each name: how often it may be started
 * @param owners processes that may claim once each; the third is the first one's successor
 * @param sessions streams that one incarnation may open
 * @param replicas that there are
 * @param limit slots of each
 * @param requests in flight of one incarnation at one replica that the model follows
 * @param drains whether replica 0 may begin to drain
 * @param lowers whether its limit may be lowered by one
 * @param leaves whether routers may leave in order
 * @param recalls whether owners recall slots; routers give back what is free in any case
 */
public record Bounds(
        int names,
        int lives,
        int owners,
        int sessions,
        int replicas,
        int limit,
        int requests,
        boolean drains,
        boolean lowers,
        boolean leaves,
        boolean recalls) {
    int routers() {
        return names * lives;
    }
}
