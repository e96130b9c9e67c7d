package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The engine faults of a run, and what each router makes of them. Without faults, routers watch nothing. */
final class EngineFaults {
    private final EventQueue events;
    private final Streams streams;
    private final Replicas replicas;
    private final Map<Integer, EngineFault> numberToFault = new HashMap<>();
    private final Map<Integer, FaultTally> numberToTally = new HashMap<>();
    private final Map<SimRouter, Evidence> routerToEvidence = new HashMap<>();

    EngineFaults(Scene scene, EventQueue events, Streams streams, Replicas replicas, Tally tally) {
        this.events = events;
        this.streams = streams;
        this.replicas = replicas;
        for (EngineFault fault : scene.engineFaults()) {
            var each = new FaultTally(fault);
            numberToFault.put(fault.number(), fault);
            numberToTally.put(fault.number(), each);
            tally.faults.add(each);
        }
    }

    /** The engine of a replica, with the fault that it will have. */
    Engine engine(
            EngineModel model,
            int number,
            ColdStart cold,
            Consumer<SimRequest> completed,
            Consumer<SimRequest> failed) {
        EngineFault fault = numberToFault.get(number);
        if (fault == null) return model.create(events, cold, completed);
        return new FaultyEngine(
                ended -> model.create(events, cold, ended),
                fault,
                events,
                streams.of("fault of engine " + number),
                completed,
                failed);
    }

    /** Connects a router to the replica that it chose; false when that is refused. */
    boolean connects(SimRouter router, ReplicaEntry chosen) {
        int number = chosen.replica().number();
        FaultTally tally = numberToTally.get(number);
        if (tally == null) return true;
        tally.sent(router, chosen.cell().quarantine(), events.nowNanos());
        if (replicas.engine(number).connectable()) return true;
        evidence(router).connectFailed(chosen.cell(), events.nowNanos());
        judged(router, number, chosen.cell());
        return false;
    }

    void sent(SimRequest request) {
        if (any()) evidence(request.router).sent(request, events.nowNanos());
    }

    void succeeded(SimRequest request) {
        if (any()) evidence(request.router).succeeded(request, events.nowNanos());
    }

    void failed(SimRequest request) {
        evidence(request.router).failed(request, events.nowNanos());
        FaultTally tally = numberToTally.get(request.number);
        if (tally != null) tally.failed(request);
        judged(request.router, request.number, request.cell);
    }

    /** What a router does each 100 ms. */
    void look(SimRouter router) {
        if (!any()) return;
        evidence(router).look(events.nowNanos());
        for (int number : numberToFault.keySet()) {
            ReplicaEntry entry = router.view().current().byNumber(number);
            if (entry != null) judged(router, number, entry.cell());
        }
    }

    private boolean any() {
        return !numberToFault.isEmpty();
    }

    private Evidence evidence(SimRouter router) {
        return routerToEvidence.computeIfAbsent(
                router, r -> new Evidence(r.view(), numberToFault, streams.of("evidence of " + r.incarnation())));
    }

    private void judged(SimRouter router, int number, ReplicaCell cell) {
        FaultTally tally = numberToTally.get(number);
        if (tally != null) tally.judged(router, cell, events.nowNanos());
    }
}
