package dev.penstock.core.health;

import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.model.Outcomes.ReplicaOutcomes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What all routers and telemetry say of one replica, kept by every instance of health-svc. One writer. */
final class Evidence {
    private static final double KEPT_PER_SECOND = Math.exp(-1 / 60.0);
    /** Fewer requests than this say nothing of a rate. */
    private static final double LEAST_REQUESTS = 10;

    private final Map<String, RouterEvidence> routers = new TreeMap<>();
    /** Of routers' earlier lives, by incarnation: a late record of one must not end what the present one told. */
    private final Map<Long, RouterEvidence> earlier = new HashMap<>(0);

    private final TelemetryEvidence telemetry = new TelemetryEvidence();
    private boolean everOk;
    private long okNanos;
    private boolean everFlowed;
    private long flowedNanos;
    private double decayedFailures;
    private double decayedAll;

    /** Returns the evidence of the router that told. */
    RouterEvidence add(String router, long incarnation, ReplicaOutcomes seen, FailureOdds odds, long nowNanos) {
        RouterEvidence known = routers.get(router);
        if (known == null || known.incarnation() != incarnation) {
            if (known != null) earlier.put(known.incarnation(), known);
            RouterEvidence back = earlier.remove(incarnation);
            known = back != null ? back : new RouterEvidence(incarnation);
            routers.put(router, known);
        }
        known.add(seen, odds, nowNanos);
        int ok = RouterEvidence.okCount(seen);
        int failures = RouterEvidence.failureCount(seen);
        if (ok > 0) {
            everOk = true;
            okNanos = nowNanos;
        }
        if (seen.flowing()) {
            everFlowed = true;
            flowedNanos = nowNanos;
        }
        decayedFailures += failures;
        decayedAll += failures + ok;
        return known;
    }

    TelemetryEvidence telemetry() {
        return telemetry;
    }

    double pooledSum(long nowNanos) {
        double sum = 0;
        for (RouterEvidence router : routers.values()) sum += router.sum(nowNanos);
        return sum;
    }

    /** The pooled sum without the router that saw most: what a second observer says. */
    double sumOfOthers(long nowNanos) {
        double sum = 0;
        double largest = 0;
        for (RouterEvidence router : routers.values()) {
            double own = router.sum(nowNanos);
            sum += own;
            largest = Math.max(largest, own);
        }
        return sum - largest;
    }

    List<String> quarantinedBy(long nowNanos) {
        List<String> names = new ArrayList<>(0);
        routers.forEach((name, router) -> {
            if (router.quarantined(nowNanos)) names.add(name);
        });
        return names;
    }

    boolean quarantined(long nowNanos) {
        for (RouterEvidence router : routers.values()) {
            if (router.quarantined(nowNanos)) return true;
        }
        return false;
    }

    boolean connectFailed(long nowNanos) {
        for (RouterEvidence router : routers.values()) {
            if (router.connectFailed(nowNanos)) return true;
        }
        return false;
    }

    /** A request ended well, or bytes came, at any router since then. */
    boolean workedSince(long nanos) {
        return okSince(nanos) || (everFlowed && flowedNanos - nanos >= 0);
    }

    boolean okSince(long nanos) {
        return everOk && okNanos - nanos >= 0;
    }

    /** Anything moved since then: an answer, a byte, or the engine's own counter. */
    boolean movedSince(long nanos) {
        return workedSince(nanos) || telemetry.movedSince(nanos);
    }

    /** Starts the routers' sums and quarantines anew: what is still so will be told again. */
    void forget() {
        routers.clear();
        earlier.clear();
    }

    /** To be called once a second. */
    void fold(long nowNanos) {
        decayedFailures *= KEPT_PER_SECOND;
        decayedAll *= KEPT_PER_SECOND;
        routers.values().removeIf(router -> router.forgotten(nowNanos));
        earlier.values().removeIf(router -> router.forgotten(nowNanos));
    }

    boolean rateKnown() {
        return decayedAll >= LEAST_REQUESTS;
    }

    double failureRate() {
        return decayedFailures / decayedAll;
    }
}
