package dev.penstock.fleetsim;

import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.ReplicaCell;
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
        /** The first of it, counted from the fault's beginning; NaN if there is none. */
        double firstSentSeconds = Double.NaN;
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
        /** Prompt tokens that it waited for then, or at the fault's end. */
        long promptTokens;
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
        return seconds(lastSentNanos);
    }

    void sent(SimRouter router, Quarantine quarantine, long nowNanos) {
        if (nowNanos >= fault.untilNanos()) of(router).sentAfter++;
        if (!fault.lastsAt(nowNanos)) return;
        lastSentNanos = nowNanos;
        ByRouter by = of(router);
        if (by.sent++ == 0) by.firstSentSeconds = seconds(nowNanos);
        if (quarantine instanceof Quarantine.Shut) by.sentInQuarantine++;
    }

    void failed(SimRequest request) {
        if (request.sentNanos < fault.atNanos()) of(request.router).failedSentBefore++;
        else of(request.router).failedSentMeanwhile++;
    }

    /** How the router judges the replica now. */
    void judged(SimRouter router, ReplicaCell cell, long nowNanos) {
        ByRouter by = of(router);
        if (!fault.lastsAt(nowNanos) || !Double.isNaN(by.quarantinedSeconds)) return;
        by.promptTokens = cell.streams().promptTokens();
        if (!(cell.quarantine() instanceof Quarantine.Shut shut)) return;
        by.quarantinedSeconds = seconds(nowNanos);
        by.passesNeeded = shut.passesNeeded();
    }

    private double seconds(long nowNanos) {
        return (nowNanos - fault.atNanos()) / 1e9;
    }

    private ByRouter of(SimRouter router) {
        return routers.computeIfAbsent(router.name(), name -> new ByRouter());
    }
}
