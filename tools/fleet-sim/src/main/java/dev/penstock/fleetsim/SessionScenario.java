package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;

/** Sessions of several turns in a fleet that grows, shrinks and loses replicas for a while. */
final class SessionScenario {
    static final double NEEDLESS_PCT = 0.1;
    static final double MAX_OVER_MEAN = 1.3;
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final int SLOTS = 80;
    private static final int TURNS = 6;
    private static final long TURN_NANOS = 2 * SECOND;
    private static final long THINK_NANOS = 10 * SECOND;
    /** A replica that has up to that times the mean in flight is not too busy to keep its sessions. */
    private static final double BOUND_OVER_MEAN = 1.1;

    /** In flight at each replica in the mean while nobody has come or gone. */
    private static final int MEAN_INFLIGHT = 40;

    private SessionScenario() {}

    static Scenario scenario() {
        return new Scenario(
                "sessions",
                "10^5 sessions (small form: 2,400) of 6 turns with think times, entering 4 routers at random; a quarter"
                        + " more replicas, then a quarter fewer, and ejections",
                SessionScenario::scenes,
                List.of(
                        Figure.MOVED_NEEDLESSLY_PCT,
                        Figure.MOVES_PER_LOST_OWNER_MAX,
                        Figure.MAX_OVER_MEAN_INFLIGHT,
                        Figure.MOVED_FOR_LOAD_PCT),
                List.of(Policy.CONSISTENT_HASH),
                List.of(
                        new Scenario.Limit(Figure.MOVED_NEEDLESSLY_PCT, NEEDLESS_PCT, List.of(Policy.CONSISTENT_HASH)),
                        new Scenario.Limit(Figure.MOVES_PER_LOST_OWNER_MAX, 1, List.of()),
                        new Scenario.Limit(
                                Figure.MAX_OVER_MEAN_INFLIGHT, MAX_OVER_MEAN, List.of(Policy.CONSISTENT_HASH))));
    }

    private static List<Scene> scenes(boolean full) {
        return List.of(full ? scene(48, 100_000) : scene(12, 2_400));
    }

    private static Scene scene(int replicas, int sessions) {
        double perNano = (double) replicas * MEAN_INFLIGHT / ((double) TURNS * TURN_NANOS);
        long measured = (long) (sessions / perNano);
        var span = new Scene.Span(3 * (TURN_NANOS + THINK_NANOS), measured, 0);
        long phase = measured / 10;
        List<Workload.Ejection> ejections = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long at = span.warmNanos() + (1 + 2 * i) * phase;
            ejections.add(new Workload.Ejection(i, at, at + Math.min(phase, 20 * SECOND)));
        }
        var workload = new Workload.Sessions(
                new ServiceTimes.Exponential(TURN_NANOS),
                new ServiceTimes.Exponential(THINK_NANOS),
                TURNS,
                perNano,
                new Workload.Resize(replicas / 4, span.warmNanos() + 2 * phase, span.warmNanos() + 6 * phase),
                ejections,
                BOUND_OVER_MEAN);
        return new Scene(
                replicas,
                new EngineModel.Slots(SLOTS),
                4,
                workload,
                Scene.aged(100 * MILLI),
                span,
                null,
                null,
                null,
                List.of());
    }
}
