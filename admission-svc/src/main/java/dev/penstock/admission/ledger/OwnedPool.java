package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.registry.RegisteredHolder;
import dev.penstock.kit.registry.Registry;
import dev.penstock.kit.registry.RegistryWriter;
import dev.penstock.kit.registry.StandingClaim;
import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import dev.penstock.model.PoolId;
import dev.penstock.model.RegistryRecord;
import dev.penstock.model.Roles;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One epoch of a pool that this process owns: its ledger, fed from the topics of registrations and claims. One thread. */
final class OwnedPool implements Facts {
    private static final Logger LOG = LoggerFactory.getLogger(OwnedPool.class);
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    private final PoolId pool;
    private final long epoch;
    private final Registry registry;
    private final RegistryWriter writer;
    private final LongSupplier nanoClock;
    private final PoolLedger ledger;
    private final Map<HolderId, SortedSet<Integer>> unwritten = new HashMap<>();
    private final Set<HolderId> beingWritten = new HashSet<>();
    private boolean takingOver;
    private long takeOverNanos;
    private boolean closed;

    OwnedPool(
            PoolId pool,
            long epoch,
            Registry registry,
            RegistryWriter writer,
            LongSupplier nanoClock,
            RandomGenerator random) {
        this.pool = pool;
        this.epoch = epoch;
        this.registry = registry;
        this.writer = writer;
        this.nanoClock = nanoClock;
        takeOverNanos = nanoClock.getAsLong();
        ledger = new PoolLedger(pool, epoch, this, nanoClock, random);
    }

    PoolLedger ledger() {
        return ledger;
    }

    long epoch() {
        return epoch;
    }

    /** More is known of a holder, or the same again. */
    void holder(RegisteredHolder now) {
        HolderId id = new HolderId(now.holder().name(), now.holder().nonce());
        if (now.registration() != null) ledger.registered(id);
        RegistryRecord.Left left = now.left();
        if (left != null) ledger.left(id, left.followed().getOrDefault(pool, Header.NO_EPOCH));
        if (now.dead()) ledger.died(id);
        RegistryRecord.Settled settled = now.settled().get(pool);
        if (settled != null) ledger.settled(id, settled.epoch(), settled.numbers());
    }

    /**
     * Each period: takes over first, when nothing is missing for it.
     *
     * @param readLimits reads what limits come from to its end and tells them, after the registrations were read to theirs
     */
    void tick(Supplier<Future<?>> readLimits) {
        boolean due = !ledger.areFactsRead() && !takingOver && nanoClock.getAsLong() - takeOverNanos >= 0;
        if (due && registry.genesis().sound()) takeOver(readLimits);
        ledger.tick();
        if (!unwritten.isEmpty()) for (HolderId dead : List.copyOf(unwritten.keySet())) write(dead);
    }

    /** In this order: whoever registers after the claim was made finds it, and whoever did before is found here. */
    private void takeOver(Supplier<Future<?>> readLimits) {
        takingOver = true;
        registry.readToEnd().compose(read -> readLimits.get()).onComplete(read -> {
            takingOver = false;
            takeOverNanos = nanoClock.getAsLong() + RETRY_NANOS;
            if (closed) return;
            if (read.succeeded() && registry.genesis().sound()) ledger.factsRead();
            else if (read.failed()) {
                LOG.atInfo()
                        .addKeyValue(LogKeys.POOL, pool)
                        .addKeyValue(LogKeys.ERROR, read.cause().getMessage())
                        .log("facts not read yet, no slots are granted");
            }
        });
    }

    void close() {
        closed = true;
        ledger.close();
    }

    @Override
    public void readToEnd(Consumer<Standing> then) {
        registry.readToEnd().onComplete(read -> then.accept(read.failed() ? Standing.UNREAD : standing()));
    }

    private Standing standing() {
        StandingClaim claim = registry.highestClaim(Roles.ledger(pool));
        return claim != null && claim.epoch() == epoch ? Standing.HIGHEST : Standing.DISPLACED;
    }

    @Override
    public void settled(HolderId dead, SortedSet<Integer> numbers) {
        unwritten.put(dead, numbers);
        write(dead);
    }

    /** One record of a holder at a time, so that none overwrites a later one; the bus itself tries for 30 s. */
    private void write(HolderId dead) {
        if (closed || beingWritten.contains(dead)) return;
        SortedSet<Integer> numbers = unwritten.remove(dead);
        if (numbers == null) return;
        beingWritten.add(dead);
        writer.settled(new Holder(dead.name(), dead.nonce()), pool, epoch, List.copyOf(numbers))
                .onComplete(written -> {
                    beingWritten.remove(dead);
                    if (written.failed()) unwritten.putIfAbsent(dead, numbers);
                });
    }
}
