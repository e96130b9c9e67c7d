package dev.penstock.router.account;

import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.DurationSketch;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one event loop saw of its replicas since it was last drained, and the evidence for this router's quarantine. Lives
 * on its event loop; bounded by the roster.
 */
public final class OutcomeRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeRecorder.class);

    /** A stall may be the network's; a failure is not. */
    private static final double STALL_WEIGHT = 0.7;

    private final RandomGenerator random;
    private final OutcomeCounters counters;
    private final Runnable failureSeen;
    private Map<Integer, Seen> seen = new HashMap<>();

    /** @param failureSeen called on each failure, because failures are told at once */
    public OutcomeRecorder(RandomGenerator random, OutcomeCounters counters, Runnable failureSeen) {
        this.random = random;
        this.counters = counters;
        this.failureSeen = failureSeen;
    }

    private static final class Seen {
        final ReplicaCell cell;
        final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        final DurationSketch ttft = new DurationSketch();
        final DurationSketch latency = new DurationSketch();
        int connectFailures;
        long events;

        Seen(ReplicaCell cell) {
            this.cell = cell;
        }

        Outcomes.ReplicaOutcomes told(int number) {
            boolean quarantined = !(cell.quarantine() instanceof Quarantine.Clear);
            return new Outcomes.ReplicaOutcomes(
                    number, counts, connectFailures, ttft, latency, events, quarantined, false);
        }
    }

    /** A connect that failed: quarantine evidence only, the engine never saw the request. Refused is: nobody listens. */
    public void connectFailed(ReplicaEntry replica, Throwable cause, long nowNanos) {
        at(replica).connectFailures++;
        counters.connectFailed();
        if (!refused(cause)) {
            failed(replica, 0, nowNanos, "connect failed");
            return;
        }
        failureSeen.run();
        if (replica.cell().refused(nowNanos, random)) logQuarantined(replica, "connect refused");
    }

    /** An attempt that reached an engine, or a client that left; ttft is negative where there was none. */
    public void ended(
            ReplicaEntry replica, Outcome outcome, long nowNanos, long ttftNanos, long latencyNanos, long events) {
        Seen at = at(replica);
        at.counts.merge(outcome, 1, Integer::sum);
        at.events += events;
        if (ttftNanos >= 0) at.ttft.record(ttftNanos / 1000);
        counters.ended(outcome);
        if (outcome.countsAgainstReplica()) {
            failed(replica, outcome == Outcome.STALLED ? STALL_WEIGHT : 1, nowNanos, outcome.name());
        } else if (outcome == Outcome.OK) {
            at.latency.record(latencyNanos / 1000);
            replica.cell().served(latencyNanos);
            replica.cell().firstByte(ttftNanos >= 0 ? ttftNanos : latencyNanos);
            if (replica.cell().succeeded()) logBack(replica);
        } else {
            replica.cell().endedNeutrally();
        }
    }

    private void failed(ReplicaEntry replica, double weight, long nowNanos, String reason) {
        failureSeen.run();
        ReplicaCell cell = replica.cell();
        if (cell.failed(weight, nowNanos, random)) logQuarantined(replica, reason);
    }

    /** A connect that takes too long, and one that this host has no port for, are kinds of the same exception. */
    private static boolean refused(Throwable cause) {
        return cause instanceof ConnectException
                && !(cause instanceof ConnectTimeoutException)
                && String.valueOf(cause.getMessage()).contains("refused");
    }

    private static void logQuarantined(ReplicaEntry replica, String reason) {
        LOG.atInfo()
                .addKeyValue(LogKeys.REPLICA, replica.replica().name())
                .addKeyValue(LogKeys.REASON, reason)
                .log("replica quarantined");
    }

    private static void logBack(ReplicaEntry replica) {
        LOG.atInfo().addKeyValue(LogKeys.REPLICA, replica.replica().name()).log("replica back from quarantine");
    }

    private Seen at(ReplicaEntry replica) {
        return seen.computeIfAbsent(replica.replica().number(), n -> new Seen(replica.cell()));
    }

    /** Hands over what was seen and starts anew. */
    public List<Outcomes.ReplicaOutcomes> drain() {
        if (seen.isEmpty()) return List.of();
        List<Outcomes.ReplicaOutcomes> drained = new ArrayList<>(seen.size());
        seen.forEach((number, at) -> drained.add(at.told(number)));
        seen = new HashMap<>();
        return drained;
    }
}
