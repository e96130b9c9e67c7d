package dev.penstock.fleetsim;

import java.util.List;

/**
 * A question with bars.
 *
 * @param scenes of several, the worst counts, seed by seed
 * @param smallNanos measured in the small form
 * @param fullNanos measured in the full form
 */
record Scenario(
        String name,
        String about,
        List<Scene> scenes,
        long smallNanos,
        long fullNanos,
        List<Figure> figures,
        List<Policy> baselines,
        List<Limit> limits) {

    /**
     * The production policy must stay at or under it.
     *
     * @param missedBy baselines that must not: a bar that everybody meets proves nothing
     */
    record Limit(Figure figure, double most, List<Policy> missedBy) {}
}
