package dev.penstock.testkit.record;

import dev.penstock.model.EngineKind;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.util.List;
import java.util.Map;

/**
 * A vLLM replica {@code engine-N} with number N at port 20000 + N of this machine, serving {@link #MODEL}, ready for an
 * hour. Each method gives a changed copy.
 */
public record ReplicaBuilder(
        int number, String name, String uid, String endpoint, String model, EngineKind engine, long readyAgeMillis) {
    public static final String MODEL = "sim/llama-3-8b";
    private static final long HOUR_MILLIS = 3_600_000;

    public static ReplicaBuilder replica(int number) {
        return new ReplicaBuilder(
                number,
                "engine-" + number,
                "uid-1",
                "http://127.0.0.1:" + (20_000 + number),
                MODEL,
                EngineKind.VLLM,
                HOUR_MILLIS);
    }

    public ReplicaBuilder named(String next) {
        return new ReplicaBuilder(number, next, uid, endpoint, model, engine, readyAgeMillis);
    }

    public ReplicaBuilder uid(String next) {
        return new ReplicaBuilder(number, name, next, endpoint, model, engine, readyAgeMillis);
    }

    /** On this machine. */
    public ReplicaBuilder port(int port) {
        return new ReplicaBuilder(number, name, uid, "http://127.0.0.1:" + port, model, engine, readyAgeMillis);
    }

    public ReplicaBuilder serving(String next) {
        return new ReplicaBuilder(number, name, uid, endpoint, next, engine, readyAgeMillis);
    }

    public ReplicaBuilder kind(EngineKind next) {
        return new ReplicaBuilder(number, name, uid, endpoint, model, next, readyAgeMillis);
    }

    /** When its record is sent. */
    public ReplicaBuilder readyForMillis(long next) {
        return new ReplicaBuilder(number, name, uid, endpoint, model, engine, next);
    }

    public Replica build() {
        return new Replica(
                name,
                number,
                uid,
                endpoint,
                null,
                List.of(model),
                engine,
                null,
                PoolId.localFor(model),
                null,
                null,
                0,
                Map.of());
    }

    public RosterRecord present() {
        return record(false);
    }

    public RosterRecord gone() {
        return record(true);
    }

    private RosterRecord record(boolean gone) {
        return new RosterRecord(
                new Header("collector", 1, number, Header.NO_EPOCH, 0),
                build(),
                gone,
                number,
                gone ? RosterRecord.AGE_UNKNOWN : readyAgeMillis);
    }
}
