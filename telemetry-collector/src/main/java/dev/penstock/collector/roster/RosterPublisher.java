package dev.penstock.collector.roster;

import dev.penstock.collector.discovery.DiscoveredReplica;
import dev.penstock.collector.discovery.Discovery;
import dev.penstock.collector.discovery.ModelLearner;
import dev.penstock.core.feed.EpochGate;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.management.Condition;
import dev.penstock.model.Header;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Topics;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RosterCodec;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the roster: changes at once, everything again each 30 s. No number is given before the topic has been read to its
 * end, however long Kafka is away, because a number given twice would send requests to the wrong engine. Used on one
 * context.
 */
public final class RosterPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(RosterPublisher.class);
    private static final long ASSERT_AGAIN_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long AFTER_FAILURE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long RESTART_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaBus bus;
    private final Incarnation self;
    private final Discovery discovery;
    private final ModelLearner models;
    private final RosterBook book;
    private final Condition ready;
    private final long epoch;
    private final LongSupplier nanoClock;
    private final LongSupplier wallClock;
    private final long startNanos;
    private final EpochGate epochs = new EpochGate();
    private final Map<Integer, Long> numberToRestart = new HashMap<>();
    private Map<String, String> refusals = Map.of();
    private boolean caughtUp;
    private long sequence;
    private long assertNanos;

    /** @param epoch of the claim that this publisher writes by */
    public RosterPublisher(
            KafkaBus bus,
            Incarnation self,
            Discovery discovery,
            ModelLearner models,
            RosterBook book,
            Condition ready,
            long epoch,
            LongSupplier nanoClock,
            LongSupplier wallClock) {
        this.bus = bus;
        this.self = self;
        this.discovery = discovery;
        this.models = models;
        this.book = book;
        this.ready = ready;
        this.epoch = epoch;
        this.nanoClock = nanoClock;
        this.wallClock = wallClock;
        this.startNanos = nanoClock.getAsLong();
    }

    /** A record of the roster topic. After the start these are this collector's own. */
    public void record(String name, byte @Nullable [] value) {
        if (caughtUp) return;
        try {
            RosterRecord record = value == null ? null : RosterCodec.decode(value);
            long now = nanoClock.getAsLong();
            if (record == null || epochs.admit(record.header().epoch(), now)) book.read(name, record, now);
        } catch (MalformedRecordException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REPLICA, name)
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("roster record skipped");
        }
    }

    public void caughtUp() {
        caughtUp = true;
        assertNanos = nanoClock.getAsLong() + ASSERT_AGAIN_NANOS;
    }

    /** An engine began anew; frames say so for a while, hence once per 5 s. */
    public void restarted(int number) {
        long now = nanoClock.getAsLong();
        Long last = numberToRestart.get(number);
        if (last != null && now - last < RESTART_NANOS) return;
        numberToRestart.put(number, now);
        book.restarted(number);
    }

    /** Looks at the source, and tells what is new. */
    public Future<?> tick() {
        return discovery.refresh().onSuccess(looked -> compare());
    }

    /** Asks replicas what they serve, and tells what is new of that. Called ten times a second. */
    public void askModels() {
        if (models.tick()) compare();
    }

    private void compare() {
        List<DiscoveredReplica> wanted = discovery.replicas();
        // asking for models need not wait for Kafka
        List<DiscoveredReplica> complete = wanted == null ? null : models.complete(wanted);
        if (!caughtUp) {
            waiting();
        } else if (complete == null) {
            ready.notYet("no list of replicas: " + discovery.problem());
        } else {
            publish(book.apply(complete, nanoClock.getAsLong(), wallClock.getAsLong()));
            ready.ok();
        }
    }

    private void waiting() {
        long seconds = (nanoClock.getAsLong() - startNanos) / 1_000_000_000;
        if (nanoClock.getAsLong() - startNanos < PATIENCE_NANOS) return;
        ready.notYet("the roster topic could not be read for " + seconds
                + " s, no replica gets a number before that; is Kafka there?");
    }

    private void publish(List<RosterBook.Change> changes) {
        long now = nanoClock.getAsLong();
        complain();
        changes.forEach(this::announce);
        boolean due = now - assertNanos >= 0;
        if (due) assertNanos = now + ASSERT_AGAIN_NANOS;
        (due ? book.all(now) : changes).forEach(this::send);
        // a record that ends is no longer among all of them
        if (due)
            changes.stream()
                    .filter(RosterBook.Change.Forgotten.class::isInstance)
                    .forEach(this::send);
    }

    private void send(RosterBook.Change change) {
        byte[] value =
                switch (change) {
                    case RosterBook.Change.Told record ->
                        RosterCodec.encode(new RosterRecord(
                                new Header(self.name(), self.nonce(), sequence++, epoch, nanoClock.getAsLong()),
                                record.replica(),
                                record.gone(),
                                book.highestNumber(),
                                record.readyAgeMillis()));
                    case RosterBook.Change.Forgotten forgotten -> null;
                };
        bus.publish(Topics.ROSTER, 0, change.name(), value).onFailure(failure -> {
            assertNanos = nanoClock.getAsLong() + AFTER_FAILURE_NANOS;
            LOG.atWarn()
                    .addKeyValue(LogKeys.REPLICA, change.name())
                    .addKeyValue(LogKeys.REASON, failure.toString())
                    .log("roster record not stored, telling it again");
        });
    }

    private void announce(RosterBook.Change change) {
        String what =
                switch (change) {
                    case RosterBook.Change.Told told ->
                        told.gone()
                                ? "replica gone"
                                : "replica " + told.replica().number() + " at "
                                        + told.replica().endpoint() + " serves "
                                        + told.replica().models();
                    case RosterBook.Change.Forgotten forgotten -> "replica forgotten";
                };
        LOG.atInfo().addKeyValue(LogKeys.REPLICA, change.name()).log(what);
    }

    private void complain() {
        Map<String, String> next = book.refusals();
        next.forEach((name, reason) -> {
            if (reason.equals(refusals.get(name))) return;
            LOG.atError()
                    .addKeyValue(LogKeys.REPLICA, name)
                    .addKeyValue(LogKeys.REASON, reason)
                    .log("replica refused");
        });
        refusals = next;
    }

    /** Names that were not taken in, with the reason. */
    public Map<String, String> refusals() {
        return refusals;
    }
}
