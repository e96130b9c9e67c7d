package dev.penstock.router.account;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.Header;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.model.Topics;
import dev.penstock.wire.OutcomesCodec;
import java.util.List;
import java.util.function.LongSupplier;

/** Sends what the event loops saw, as one numbered stream per router. Lives on one context. */
public final class OutcomesPublisher {
    private final KafkaBus bus;
    private final Incarnation self;
    private final LongSupplier nanoClock;
    private final int partition;
    private long sequence;

    public OutcomesPublisher(KafkaBus bus, Incarnation self, LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.nanoClock = nanoClock;
        this.partition = Integer.remainderUnsigned(self.name().hashCode(), Topics.OUTCOMES.partitions());
    }

    public void publish(List<Outcomes.ReplicaOutcomes> replicas) {
        if (replicas.isEmpty()) return;
        Header header = new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, nanoClock.getAsLong());
        byte[] told = OutcomesCodec.encode(new Outcomes(header, replicas));
        if (urgent(replicas)) bus.send(Topics.OUTCOMES, partition, self.name(), told);
        else bus.sendSoon(Topics.OUTCOMES, partition, self.name(), told);
    }

    /** A failure is told at once; counts of what went well go with the next in-flight vector. */
    private static boolean urgent(List<Outcomes.ReplicaOutcomes> replicas) {
        for (Outcomes.ReplicaOutcomes each : replicas) {
            if (each.connectFailures() > 0 || each.quarantined()) return true;
            for (Outcome outcome : each.counts().keySet()) if (outcome.countsAgainstReplica()) return true;
        }
        return false;
    }
}
