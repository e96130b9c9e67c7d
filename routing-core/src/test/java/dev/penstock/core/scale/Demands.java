package dev.penstock.core.scale;

import dev.penstock.model.DemandRecord;
import dev.penstock.model.DemandRecord.ModelDemand;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import java.util.List;

/** A router that tells demand, with counts as a real one keeps them. */
final class Demands {
    static final String MODEL = "sim/llama";
    static final PoolId POOL = new PoolId("local", "llama");

    private final String name;
    private long incarnation = 1;
    private long sequence;
    int running;
    int queued;
    long completed;
    long shed;
    long expired;
    long serviceMicros;

    Demands(String name) {
        this.name = name;
    }

    void restart() {
        incarnation++;
        sequence = 0;
        running = 0;
        queued = 0;
        completed = 0;
        shed = 0;
        expired = 0;
        serviceMicros = 0;
    }

    DemandRecord record(long sendNanos) {
        long arrived = running + queued + completed + shed + expired;
        return new DemandRecord(
                new Header(name, incarnation, ++sequence, Header.NO_EPOCH, sendNanos),
                List.of(new ModelDemand(
                        MODEL, POOL, arrived, running, queued, completed, 0, 0, expired, shed, serviceMicros)));
    }

    long incarnation() {
        return incarnation;
    }

    /** Demand that has been {@code demand} for as long as it was seen. */
    static PoolDemand steady(double demand, long seenSeconds) {
        return of(demand, demand, seenSeconds);
    }

    static PoolDemand of(double longMean, double shortMean, long seenSeconds) {
        return new PoolDemand(true, 0, 0, 0, 0, 2, shortMean, longMean, shortMean, seenSeconds * 1_000_000_000L);
    }

    static PoolDemand unknown(long ageSeconds) {
        return new PoolDemand(false, ageSeconds * 1_000_000_000L, 0, 0, 0, 2, 0, 0, 0, 600_000_000_000L);
    }
}
