package dev.penstock.fleetsim;

import dev.penstock.model.Header;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.util.ArrayList;
import java.util.List;

/** The replicas of a run by their numbers, 0 and up: the engines, and the roster that tells of them. */
final class Replicas {
    static final String MODEL = "sim/model";

    private final List<Engine> engines = new ArrayList<>();
    private final List<Long> bornNanos = new ArrayList<>();

    /** @param bornNanosOfIt since when it is ready; long ago for those of the beginning */
    void add(Engine engine, long bornNanosOfIt) {
        engines.add(engine);
        bornNanos.add(bornNanosOfIt);
    }

    int size() {
        return engines.size();
    }

    List<Engine> engines() {
        return engines;
    }

    Engine engine(int number) {
        return engines.get(number);
    }

    long ageNanos(int number, long nowNanos) {
        return nowNanos - bornNanos.get(number);
    }

    /** What the roster tells at that time. */
    List<RosterRecord> roster(long nowNanos) {
        List<RosterRecord> roster = new ArrayList<>(engines.size());
        for (int number = 0; number < engines.size(); number++) roster.add(rosterRecord(number, nowNanos));
        return roster;
    }

    RosterRecord rosterRecord(int number, long nowNanos) {
        Replica replica = Replica.serving(MODEL, "engine-" + number, number, "uid-1", "http://engine-" + number);
        return new RosterRecord(
                new Header("collector-0", 1, number, Header.NO_EPOCH, 0),
                replica,
                false,
                number,
                ageNanos(number, nowNanos) / 1_000_000);
    }
}
