package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;

/** Balance's fleet under one router to eight, of which one dies and comes back. */
final class RoutersScenario {
    private static final long SECOND = 1_000_000_000L;

    private RoutersScenario() {}

    static Scenario scenario() {
        return new Scenario(
                "routers",
                "balance with 1 to 8 routers, of which one is killed and back after 4 s (of 4 also after 1 s); the"
                        + " worst",
                RoutersScenario::scenes,
                List.of(Figure.DEAD_COUNT_SECONDS, Figure.MAX_OVER_MEAN_INFLIGHT, Figure.WAITED_PCT),
                List.of(),
                List.of(
                        new Scenario.Limit(Figure.DEAD_COUNT_SECONDS, 3, List.of()),
                        new Scenario.Limit(Figure.MAX_OVER_MEAN_INFLIGHT, BalanceScenarios.MAX_OVER_MEAN, List.of()),
                        new Scenario.Limit(Figure.WAITED_PCT, BalanceScenarios.WAITED_PCT, List.of())));
    }

    /** The restart comes after the dead one's counts are gone; in one scene earlier, while they fade. */
    private static List<Scene> scenes(boolean full) {
        long measured = (full ? 30 : 3) * SECOND;
        List<Scene> scenes = new ArrayList<>();
        for (int routers : full ? new int[] {1, 2, 3, 4, 5, 6, 7, 8} : new int[] {1, 2, 4, 8}) {
            scenes.add(BalanceScenarios.dense(routers, measured, 5 * SECOND).with(new Scene.Kill(4 * SECOND)));
        }
        scenes.add(BalanceScenarios.dense(4, measured, 4 * SECOND).with(new Scene.Kill(SECOND)));
        return scenes;
    }
}
