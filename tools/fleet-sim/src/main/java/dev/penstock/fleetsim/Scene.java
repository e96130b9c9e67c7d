package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One fleet and what happens to it.
 *
 * @param span when it is measured
 * @param kill of a router, or null
 * @param joining of new replicas, or null
 * @param fault of telemetry, or null
 * @param engineFaults at most one for each replica
 * @param prefixes what routers do with the beginnings of prompts, or null
 */
record Scene(
        int replicas,
        EngineModel engines,
        int routers,
        Workload workload,
        Network.Shape network,
        Span span,
        @Nullable Kill kill,
        @Nullable Joining joining,
        @Nullable TelemetryFault fault,
        List<EngineFault> engineFaults,
        @Nullable Prefixes prefixes) {
    static final long VECTOR_PERIOD_NANOS = 100_000_000L;
    static final long FRAME_PERIOD_NANOS = SimCollector.INTERVAL_MILLIS * 1_000_000L;

    Scene {
        if (replicas < 1 || routers < 1) {
            throw new IllegalArgumentException(
                    "scene: " + replicas + " replicas and " + routers + " routers must be at least 1 each");
        }
        engineFaults = List.copyOf(engineFaults);
        Set<Integer> faulty = new HashSet<>();
        for (EngineFault each : engineFaults) {
            if (each.number() < 0 || each.number() >= replicas || !faulty.add(each.number())) {
                throw new IllegalArgumentException("scene: engine fault of replica " + each.number()
                        + " must be the only one of a replica of the beginning");
            }
        }
    }

    /** A scene in which nobody looks at prompts. */
    Scene(
            int replicas,
            EngineModel engines,
            int routers,
            Workload workload,
            Network.Shape network,
            Span span,
            @Nullable Kill kill,
            @Nullable Joining joining,
            @Nullable TelemetryFault fault,
            List<EngineFault> engineFaults) {
        this(replicas, engines, routers, workload, network, span, kill, joining, fault, engineFaults, null);
    }

    /**
     * Each router has a table of so many blocks, and tells the others each 100 ms. The first one is killed while measuring,
     * and is back with an empty table a while later.
     */
    record Prefixes(int tableBlocks, long ttlNanos, long killAtNanos, long restartAfterNanos) {}

    /**
     * @param warmNanos before anything is measured: the fleet begins empty
     * @param watchNanos after measuring, until all that was measured has ended
     */
    record Span(long warmNanos, long measuredNanos, long watchNanos) {
        long measureEndNanos() {
            return warmNanos + measuredNanos;
        }

        long endNanos() {
            return measureEndNanos() + watchNanos;
        }

        boolean measuredAt(long nowNanos) {
            return nowNanos >= warmNanos && nowNanos < measureEndNanos();
        }
    }

    /** The first router dies when measuring ends and is back a while later. */
    record Kill(long restartAfterNanos) {}

    /**
     * New replicas, cold and empty, all at once.
     *
     * @param atNanos while measuring
     */
    record Joining(int replicas, long atNanos, double coldFactor, long coldNanos) {}

    /** A fleet of engines with slots to which Poisson arrivals offer a load, on a network that is only late. */
    static Scene ofSlots(
            int replicas, int slots, int routers, ServiceTimes service, double load, long ageNanos, Span span) {
        return new Scene(
                replicas,
                new EngineModel.Slots(slots),
                routers,
                Workload.Poisson.offering(load, replicas * slots, service),
                aged(ageNanos),
                span,
                null,
                null,
                null,
                List.of());
    }

    /**
     * @param ageNanos mean age of what a router knows of the others and of the engines: half a period of sending and the
     *     rest on the way
     */
    static Network.Shape aged(long ageNanos) {
        return new Network.Shape(
                Link.Quality.late(Math.max(0, ageNanos - VECTOR_PERIOD_NANOS / 2)),
                Link.Quality.late(Math.max(0, ageNanos - FRAME_PERIOD_NANOS / 2)),
                List.of());
    }

    Scene with(Network.Shape next) {
        return new Scene(
                replicas, engines, routers, workload, next, span, kill, joining, fault, engineFaults, prefixes);
    }

    Scene with(Kill next) {
        return new Scene(
                replicas, engines, routers, workload, network, span, next, joining, fault, engineFaults, prefixes);
    }

    Scene with(Joining next) {
        return new Scene(
                replicas, engines, routers, workload, network, span, kill, next, fault, engineFaults, prefixes);
    }

    Scene with(TelemetryFault next) {
        return new Scene(
                replicas,
                engines,
                routers,
                workload,
                next.on(network),
                span,
                kill,
                joining,
                next,
                engineFaults,
                prefixes);
    }

    Scene with(EngineFault next) {
        List<EngineFault> all = new ArrayList<>(engineFaults);
        all.add(next);
        return new Scene(replicas, engines, routers, workload, network, span, kill, joining, fault, all, prefixes);
    }

    /** The same without a fault of telemetry, and without any other disturbance of the network. */
    Scene calm() {
        return new Scene(
                replicas,
                engines,
                routers,
                workload,
                network.disturbed(List.of()),
                span,
                kill,
                joining,
                null,
                engineFaults,
                prefixes);
    }
}
