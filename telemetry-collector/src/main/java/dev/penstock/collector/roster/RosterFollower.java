package dev.penstock.collector.roster;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RosterCodec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The roster as it is told on the bus, whoever tells it: what every collector scrapes by. Used on one context. */
public final class RosterFollower {
    private static final Logger LOG = LoggerFactory.getLogger(RosterFollower.class);

    private final Map<String, Replica> nameToReplica = new TreeMap<>();
    private final EpochGate epochs = new EpochGate();
    private final Consumer<List<Replica>> listener;
    private final ReadyTimes readyTimes;
    private final LongSupplier nanoClock;
    private boolean caughtUp;

    /**
     * @param listener told of the present replicas on each change, once the topic was read
     * @param readyTimes kept up to date
     */
    public RosterFollower(Consumer<List<Replica>> listener, ReadyTimes readyTimes, LongSupplier nanoClock) {
        this.listener = listener;
        this.readyTimes = readyTimes;
        this.nanoClock = nanoClock;
    }

    public void record(String name, byte @Nullable [] value) {
        Replica before = nameToReplica.get(name);
        try {
            Replica after = value == null ? null : present(RosterCodec.decode(value), before);
            if (value == null) readyTimes.forgotten(name);
            if (after == null ? before == null : after.equals(before)) return;
            if (after == null) nameToReplica.remove(name);
            else nameToReplica.put(name, after);
        } catch (MalformedRecordException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REPLICA, name)
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("roster record skipped");
            return;
        }
        if (caughtUp) listener.accept(replicas());
    }

    private @Nullable Replica present(RosterRecord record, @Nullable Replica before) {
        long now = nanoClock.getAsLong();
        if (!epochs.admit(record.header().epoch(), now)) return before;
        readyTimes.heard(record, now);
        return record.gone() ? null : record.replica();
    }

    public void caughtUp() {
        caughtUp = true;
        listener.accept(replicas());
    }

    public List<Replica> replicas() {
        return List.copyOf(nameToReplica.values());
    }
}
