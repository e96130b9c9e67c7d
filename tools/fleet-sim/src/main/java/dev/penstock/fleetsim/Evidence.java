package dev.penstock.fleetsim;

import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What one router makes of how its requests end: it tells the cells, as router-svc's Attempt, OutcomeRecorder, SilenceWatch
 * and OwnConnects do, and the cells judge.
 */
final class Evidence {
    /** As often as health-svc probes a replica that it suspects. */
    private static final long PROBE_NANOS = 500_000_000L;

    private static final int LOOKS_PER_FOLD = 10;

    private final FleetView view;
    private final Map<Integer, EngineFault> numberToFault;
    private final RandomGenerator random;
    private final Set<SimRequest> open = new LinkedHashSet<>();
    private long looks;

    Evidence(FleetView view, Map<Integer, EngineFault> numberToFault, RandomGenerator random) {
        this.view = view;
        this.numberToFault = numberToFault;
        this.random = random;
    }

    void connectFailed(ReplicaCell cell, long nowNanos) {
        cell.failed(0, nowNanos, random);
    }

    void sent(SimRequest request, long nowNanos) {
        open.add(request);
        request.cell.streams().opened(request.promptTokens(), nowNanos);
    }

    void succeeded(SimRequest request, long nowNanos) {
        request.cell.streams().heardFrom(nowNanos);
        close(request);
        request.cell.succeeded();
    }

    void failed(SimRequest request, long nowNanos) {
        close(request);
        request.cell.failed(1, nowNanos, random);
    }

    private void close(SimRequest request) {
        open.remove(request);
        if (!request.heard) request.cell.streams().promptDone(request.promptTokens());
        request.cell.streams().closed();
    }

    /** Each 100 ms. */
    void look(long nowNanos) {
        for (SimRequest request : open) if (request.streaming()) hear(request, nowNanos);
        for (ReplicaEntry entry : view.current().entries()) {
            entry.cell().shutIfSilent(nowNanos, random);
            if (entry.cell().quarantine() instanceof Quarantine.Shut shut
                    && shut.connectDue(nowNanos)
                    && probed(entry.replica().number(), shut, nowNanos)) {
                // Who passes probes takes connects.
                entry.cell().connectResult(true, nowNanos, random);
            }
        }
        if (looks++ % LOOKS_PER_FOLD == 0) view.foldFailureRates();
    }

    /** Tokens come in between: several in the time from look to look. */
    private static void hear(SimRequest request, long nowNanos) {
        request.cell.streams().heardFrom(nowNanos);
        if (request.heard) return;
        request.heard = true;
        request.cell.streams().promptDone(request.promptTokens());
    }

    /** As many deep probes as it takes have passed: assumed of each that is made of a replica without a fault. */
    private boolean probed(int number, Quarantine.Shut shut, long nowNanos) {
        EngineFault fault = numberToFault.get(number);
        long wellNanos = fault == null ? Long.MAX_VALUE : fault.wellForNanos(nowNanos);
        return wellNanos >= shut.passesNeeded() * PROBE_NANOS && nowNanos - shut.sinceNanos() >= PROBE_NANOS;
    }
}
