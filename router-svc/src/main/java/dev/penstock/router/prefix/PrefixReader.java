package dev.penstock.router.prefix;

import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.PrefixRecord;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import dev.penstock.model.Topics;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.PrefixCodec;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns what the other routers and the engines say of prefixes. It begins where the topic does, ten minutes ago, so that a
 * router that has just started knows what the others do; it serves meanwhile. Gaps lose hints and nothing else.
 */
public final class PrefixReader {
    private static final Logger LOG = LoggerFactory.getLogger(PrefixReader.class);
    /** Of a partition: all that is kept. */
    private static final int ALL = Integer.MAX_VALUE;

    private final PrefixTable table;
    private final long ownIncarnation;
    private final PrefixCounters counters;
    private final LongSupplier nanoClock;
    private boolean malformedSeen;

    /** @param ownIncarnation this router's: it has learned its own already */
    public PrefixReader(PrefixTable table, long ownIncarnation, PrefixCounters counters, LongSupplier nanoClock) {
        this.table = table;
        this.ownIncarnation = ownIncarnation;
        this.counters = counters;
        this.nanoClock = nanoClock;
    }

    /**
     * Reads until the bus is closed, on a worker thread: ten minutes of a busy fleet come in batches that would hold up an event
     * loop, and the view's writer on it, for a tenth of a second each.
     */
    public Future<?> start(Vertx vertx, KafkaBus bus) {
        VerticleBase reading = new VerticleBase() {
            @Override
            public Future<?> start() {
                subscribe(bus);
                return Future.succeededFuture();
            }
        };
        return vertx.deployVerticle(reading, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    }

    private void subscribe(KafkaBus bus) {
        bus.subscribeFromTail(
                List.of(Topics.PREFIX),
                ALL,
                (topic, key, value, receiveNanos) -> record(value),
                () -> LOG.atInfo().log("prefixes of the last minutes read"));
    }

    private void record(byte @Nullable [] value) {
        if (value == null) return;
        try {
            apply(PrefixCodec.decode(value));
        } catch (MalformedRecordException e) {
            if (malformedSeen) return;
            malformedSeen = true;
            LOG.atWarn()
                    .addKeyValue(LogKeys.TOPIC, Topics.PREFIX.name())
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("malformed record passed over; further ones are not logged");
        }
    }

    void apply(PrefixRecord told) {
        if (told.header().incarnation() == ownIncarnation) return;
        long now = nanoClock.getAsLong();
        for (PrefixBlocks blocks : told.blocks()) {
            if (blocks.cleared()) table.forgetReplica(blocks.number());
            for (long hash : blocks.removed()) table.forget(hash, blocks.number());
            counters.heard.increment(blocks.stored().length);
            for (long hash : blocks.stored()) table.learn(hash, blocks.number(), now);
        }
    }
}
