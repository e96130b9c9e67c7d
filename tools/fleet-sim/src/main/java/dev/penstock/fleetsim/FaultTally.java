package dev.penstock.fleetsim;

import dev.penstock.core.quarantine.Quarantine;
import java.util.Map;
import java.util.TreeMap;

/** What routers did about one {@link EngineFault}. */
final class FaultTally {
    private final EngineFault fault;
    private final Map<String, ByRouter> routers = new TreeMap<>();
    private long lastSentNanos;

    /** One router's part. */
    static final class ByRouter {
        /** Sent while the fault lasts; refused connects count. */
        long sent;
        /** The part of it that was sent in spite of a quarantine. */
        long sentInQuarantine;
        /** Sent before the fault, and failed while it lasts or by its end. */
        long failedSentBefore;
        /** Sent while it lasts, and failed. */
        long failedSentMeanwhile;
        /** Sent when it is over. */
        long sentAfter;
        /** First quarantine of the replica, counted from the fault's beginning; NaN if there is none while it lasts. */
        double quarantinedSeconds = Double.NaN;
        /** Of that quarantine; many where the failure sum was the reason. */
        int passesNeeded;
    }

    FaultTally(EngineFault fault) {
        this.fault = fault;
        this.lastSentNanos = fault.atNanos();
    }

    Map<String, ByRouter> routers() {
        return routers;
    }

    /** From the beginning until the last request that some router sent there before the end. */
    double secondsUntilNobodySends() {
        return (lastSentNanos - fault.atNanos()) / 1e9;
    }

    void sent(SimRouter router, Quarantine quarantine, long nowNanos) {
        if (nowNanos >= fault.untilNanos()) of(router).sentAfter++;
        if (!fault.lastsAt(nowNanos)) return;
        lastSentNanos = nowNanos;
        of(router).sent++;
        if (quarantine instanceof Quarantine.Shut) of(router).sentInQuarantine++;
    }

    void failed(SimRequest request) {
        if (request.sentNanos < fault.atNanos()) of(request.router).failedSentBefore++;
        else of(request.router).failedSentMeanwhile++;
    }

    /** How the router judges the replica now. */
    void judged(SimRouter router, Quarantine quarantine, long nowNanos) {
        ByRouter by = of(router);
        if (!fault.lastsAt(nowNanos) || !Double.isNaN(by.quarantinedSeconds)) return;
        if (!(quarantine instanceof Quarantine.Shut shut)) return;
        by.quarantinedSeconds = (nowNanos - fault.atNanos()) / 1e9;
        by.passesNeeded = shut.passesNeeded();
    }

    private ByRouter of(SimRouter router) {
        return routers.computeIfAbsent(router.name(), name -> new ByRouter());
    }
}
