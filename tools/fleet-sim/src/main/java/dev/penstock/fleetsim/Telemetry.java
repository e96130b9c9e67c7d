package dev.penstock.fleetsim;

import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The collectors of a run, and the fault that some of its replicas' telemetry has. */
final class Telemetry {
    private final EventQueue events;
    private final Network network;
    private final List<SimRouter> routers;
    private final boolean[] affected;
    private final List<SimCollector> collectors = new ArrayList<>();

    /** @param routers the present ones, at all times */
    Telemetry(EventQueue events, Network network, Replicas replicas, List<SimRouter> routers, boolean[] affected) {
        this.events = events;
        this.network = network;
        this.routers = routers;
        this.affected = affected;
        collectors.add(new SimCollector("collector-0", replicas, number -> !affects(number)));
        if (affected.length > 0) collectors.add(new SimCollector(TelemetryFault.COLLECTOR, replicas, this::affects));
    }

    void start(SplittableRandom phases, @Nullable TelemetryFault fault) {
        for (SimCollector each : collectors) {
            events.every(phases.nextLong(Scene.FRAME_PERIOD_NANOS), Scene.FRAME_PERIOD_NANOS, () -> send(each));
        }
        if (fault != null && fault.kind() == TelemetryFault.Kind.FROZEN) {
            events.at(fault.atNanos(), () -> collectors.getLast().freeze());
        }
    }

    /** What is learned by the collector of all that have no fault. */
    SimLearner learner() {
        return collectors.getFirst().learner();
    }

    boolean affects(int number) {
        return number < affected.length && affected[number];
    }

    private boolean send(SimCollector collector) {
        List<TelemetryFrame> frames = collector.sample(events.nowNanos());
        for (SimRouter reader : routers) {
            Link link = network.frames(collector.name(), reader.name());
            for (TelemetryFrame frame : frames) link.send(() -> reader.receive(frame, events.nowNanos()));
        }
        return true;
    }
}
