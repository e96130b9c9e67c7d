package dev.penstock.fleetsim;

import java.util.List;

/**
 * A question with bars.
 *
 * @param scenes of several, the worst counts, seed by seed
 */
record Scenario(
        String name, String about, Scenes scenes, List<Figure> figures, List<Policy> baselines, List<Limit> limits) {

    interface Scenes {
        /** @param full longer or larger, for figures to quote; else what the build has time for */
        List<Scene> of(boolean full);
    }

    /**
     * The production policy must stay within it.
     *
     * @param missedBy baselines that must not: a bar that everybody meets proves nothing
     */
    record Limit(Figure figure, double limit, List<Policy> missedBy) {}
}
