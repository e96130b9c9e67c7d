package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;

/** Telemetry that is frozen, does not come, or comes 5 s late, of one replica, a fifth and all of a busy fleet. */
final class StaleScenario {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    private StaleScenario() {}

    static Scenario scenario() {
        return new Scenario(
                "stale",
                "telemetry frozen, dropped or 5 s late for 1, 20 and 100 % of 100 replicas (small form: 25) of 24"
                        + " slots, 4 routers, mean service 2 s, load 0.9; the worst",
                StaleScenario::scenes,
                List.of(Figure.FROZEN_SHARE, Figure.GOODPUT_LOSS_PCT),
                List.of(Policy.MISSING_ZERO, Policy.MISSING_FULL),
                List.of(
                        new Scenario.Limit(Figure.FROZEN_SHARE, 1.2, List.of(Policy.MISSING_ZERO)),
                        new Scenario.Limit(Figure.GOODPUT_LOSS_PCT, 5, List.of(Policy.MISSING_FULL))));
    }

    private static List<Scene> scenes(boolean full) {
        List<Scene> scenes = new ArrayList<>();
        for (TelemetryFault.Kind kind :
                List.of(TelemetryFault.Kind.FROZEN, TelemetryFault.Kind.DROPPED, TelemetryFault.Kind.DELAYED)) {
            for (double share : new double[] {0.01, 0.2, 1}) scenes.add(scene(full, kind, share));
        }
        return scenes;
    }

    private static Scene scene(boolean full, TelemetryFault.Kind kind, double share) {
        long mean = 2 * SECOND;
        var span = new Scene.Span(4 * mean, (full ? 60 : 8) * SECOND, 4 * mean);
        return Scene.ofSlots(full ? 100 : 25, 24, 4, new ServiceTimes.Exponential(mean), 0.9, 100 * MILLI, span)
                .with(new TelemetryFault(kind, share, span.warmNanos()));
    }
}
