package dev.penstock.admission.fleet;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * How many replicas of a model may be sent requests: those in the roster that no verdict excludes. A verdict counts for the
 * incarnation it was given, and as long as it says; without one a replica is routable, so that the loss of health-svc takes
 * no rate away. One thread.
 */
public final class RoutableReplicas {
    private final EpochGate rosterGate = new EpochGate();
    private final EpochGate healthGate = new EpochGate();
    private final Map<String, Replica> nameToReplica = new HashMap<>();
    private final Map<Integer, Judged> numberToVerdict = new HashMap<>();

    private record Judged(String uid, boolean routable, long untilNanos) {}

    public void roster(RosterRecord record, long nowNanos) {
        if (!rosterGate.admit(record.header().epoch(), nowNanos)) return;
        if (record.gone()) nameToReplica.remove(record.replica().name());
        else nameToReplica.put(record.replica().name(), record.replica());
    }

    public void forgotten(String name) {
        nameToReplica.remove(name);
    }

    public void health(HealthRecord record, long nowNanos) {
        if (!healthGate.admit(record.header().epoch(), nowNanos)) return;
        long until = nowNanos + record.validMicros() * 1_000;
        numberToVerdict.put(
                record.number(), new Judged(record.uid(), record.verdict().routable(), until));
    }

    /** Those that serve the model; all of them when verdicts exclude all, for routers then use the best of the excluded. */
    public int count(String model, long nowNanos) {
        numberToVerdict.values().removeIf(each -> each.untilNanos() - nowNanos <= 0);
        int count = 0;
        int serving = 0;
        for (Replica replica : nameToReplica.values()) {
            if (!replica.models().contains(model)) continue;
            serving++;
            if (routable(replica)) count++;
        }
        return count == 0 ? serving : count;
    }

    private boolean routable(Replica replica) {
        Judged verdict = numberToVerdict.get(replica.number());
        return verdict == null || verdict.routable() || !verdict.uid().equals(replica.uid());
    }
}
