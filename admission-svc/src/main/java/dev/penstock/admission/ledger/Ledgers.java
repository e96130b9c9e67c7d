package dev.penstock.admission.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.claims.ClaimHolder;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.ledger.FromHolder;
import dev.penstock.kit.ledger.FromOwner;
import dev.penstock.kit.ledger.LedgerHandler;
import dev.penstock.kit.ledger.LedgerReceiver;
import dev.penstock.kit.ledger.LedgerServer;
import dev.penstock.kit.ledger.LedgerStream;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.registry.GenesisState;
import dev.penstock.kit.registry.RegisteredHolder;
import dev.penstock.kit.registry.Registry;
import dev.penstock.kit.registry.RegistryListener;
import dev.penstock.kit.registry.RegistryWriter;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.Roles;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TelemetryFrame;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's part in the slot ledgers: claims the role of each pool of the roster, serves those whose claims are its own, and
 * tells their ledgers what the topics say. Everything happens on the context that started it; the page may be read by any thread.
 */
public final class Ledgers implements LedgerHandler, RegistryListener {
    private static final Logger LOG = LoggerFactory.getLogger(Ledgers.class);

    private final Vertx vertx;
    private final KafkaBus bus;
    private final Incarnation self;
    private final Membership members;
    private final LedgerAddress address;
    private final LedgerMetrics metrics;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;
    private final RegistryWriter writer;
    private final PoolRoster roster = new PoolRoster(new ToLedgers());
    private final ScrapeTimes scrapes = new ScrapeTimes(new ToThaws());
    private final Map<PoolId, Pool> pools = new TreeMap<>();
    /** Over all ledgers of this process: a limit that was lowered before it took a pool over is in none of them. */
    private final Map<Integer, Integer> numberToHighestLimit = new HashMap<>();

    private SlotLimits limits = new SlotLimits(List.of());
    /** Null before the configuration was told: until then no replica has a limit. */
    private @Nullable List<ModelConfig> models;

    private int highestNumber;
    private @Nullable Registry registry;
    private @Nullable LedgerServer server;
    private boolean closed;
    private volatile JsonNode page = JsonNodeFactory.instance.objectNode();

    /** A pool of the roster. Its role is kept for as long as this process runs. */
    private static final class Pool {
        @Nullable
        ClaimHolder claim;

        @Nullable
        OwnedPool owned;

        long granted;
    }

    public Ledgers(
            Vertx vertx,
            KafkaBus bus,
            Incarnation self,
            Membership members,
            LedgerAddress address,
            LedgerMetrics metrics,
            LongSupplier nanoClock,
            RandomGenerator random) {
        this.vertx = vertx;
        this.bus = bus;
        this.self = self;
        this.members = members;
        this.address = address;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
        this.random = random;
        writer = new RegistryWriter(bus, self);
    }

    /** Listens first: a claim tells where. When that fails there is nothing to close. */
    public Future<Void> start() {
        return LedgerServer.listen(vertx, address.bind(), address.port(), this).compose(listening -> {
            if (closed) return listening.close();
            server = listening;
            registry = Registry.start(bus);
            registry.listen(this);
            roster.entries().forEach(entry -> claim(entry.pool()));
            return Future.succeededFuture();
        });
    }

    /** The roles are released while the bus can still say so. */
    public Future<Void> close() {
        closed = true;
        List<Future<?>> ends = new ArrayList<>();
        for (Pool pool : pools.values()) {
            drop(pool);
            if (pool.claim != null) ends.add(pool.claim.close());
        }
        if (server != null) ends.add(server.close());
        return Future.join(ends)
                .transform(ended -> registry == null ? Future.succeededFuture() : registry.close())
                .mapEmpty();
    }

    public int port() {
        LedgerServer listening = server;
        return listening == null ? 0 : listening.port();
    }

    public JsonNode page() {
        return page;
    }

    public void roster(RosterRecord record, long receiveNanos) {
        highestNumber = Math.max(
                highestNumber, Math.max(record.highestNumber(), record.replica().number()));
        roster.read(record, receiveNanos);
        for (Pool pool : pools.values())
            if (pool.owned != null) pool.owned.ledger().numbersUpTo(highestNumber);
        claim(record.replica().pool());
    }

    public void forgotten(String name) {
        PoolRoster.Entry before = roster.forgotten(name);
        if (before != null) numberToHighestLimit.remove(before.replica().number());
    }

    /** Frames are read while somebody's slots are frozen: else nobody wants to know. */
    public boolean watchesScrapes() {
        for (Pool pool : pools.values()) {
            OwnedPool owned = pool.owned;
            if (owned != null && owned.ledger().thawing().watches()) return true;
        }
        return false;
    }

    /** Frames that come from here on were stored after this moment of this process's clock. */
    public void telemetryReadToEndAsOf(long calledNanos) {
        scrapes.storedAfter(calledNanos);
    }

    public void telemetry(TelemetryFrame frame, long receiveNanos) {
        scrapes.frame(frame, receiveNanos);
    }

    private final class ToThaws implements ScrapeTimes.Listener {
        @Override
        public void scraped(int number, long begunNanos, long answeredNanos, int running, int waiting) {
            for (Pool pool : pools.values()) {
                OwnedPool owned = pool.owned;
                if (owned != null) owned.ledger().scraped(number, begunNanos, answeredNanos, running, waiting);
            }
        }

        @Override
        public void restarted(int number, long afterNanos) {
            for (Pool pool : pools.values()) {
                OwnedPool owned = pool.owned;
                if (owned != null) owned.ledger().restarted(number, afterNanos);
            }
        }
    }

    /**
     * Each period.
     *
     * @param now what the configuration says of models
     * @param readLimits reads configuration, policies and roster to their ends
     */
    public void tick(List<ModelConfig> now, LimitsReading readLimits) {
        models(now);
        for (Pool pool : pools.values()) if (pool.owned != null) pool.owned.tick(() -> limitsOf(readLimits));
    }

    private Future<?> limitsOf(LimitsReading reading) {
        return reading.toEnd().onSuccess(this::models);
    }

    private void models(List<ModelConfig> now) {
        if (now.equals(models)) return;
        models = now;
        limits = new SlotLimits(now);
        for (PoolRoster.Entry entry : roster.entries()) PoolRoster.tell(entry, new ToLedgers());
    }

    /** Tells what there is to see; now and then. */
    public void look() {
        long now = nanoClock.getAsLong();
        ObjectNode next = JsonNodeFactory.instance.objectNode();
        next.put("genesis", registry == null ? "missing" : text(registry.genesis()));
        ArrayNode list = next.putArray("pools");
        Map<String, PoolSums> sums = new TreeMap<>();
        pools.forEach((id, pool) -> {
            OwnedPool owned = pool.owned;
            if (owned == null) {
                list.addObject().put("pool", id.toString()).put("owner", false);
                return;
            }
            list.add(LedgerPage.of(owned.ledger(), now));
            sums.put(id.toString(), PoolSums.of(owned.ledger(), now));
            long granted = owned.ledger().granted();
            metrics.granted(id.toString(), granted - pool.granted);
            pool.granted = granted;
        });
        metrics.pools(sums);
        page = next;
    }

    private static String text(GenesisState state) {
        return switch (state) {
            case GenesisState.Missing missing -> "missing";
            case GenesisState.Present present -> "present";
            case GenesisState.Changed changed -> "changed: " + changed.problem();
        };
    }

    private void claim(PoolId id) {
        LedgerServer listening = server;
        if (closed || listening == null || pools.containsKey(id)) return;
        Pool pool = new Pool();
        pools.put(id, pool);
        String told = address.toldWith(listening.port());
        pool.claim = ClaimHolder.start(vertx, bus, members, self, Roles.ledger(id), told, new ClaimHolder.Listener() {
            @Override
            public void gained(long epoch) {
                drop(pool);
                own(id, pool, epoch);
            }

            @Override
            public void lost() {
                drop(pool);
            }
        });
    }

    private void own(PoolId id, Pool pool, long epoch) {
        Registry known = registry;
        if (closed || known == null) return;
        OwnedPool owned = new OwnedPool(id, epoch, known, writer, nanoClock, random);
        pool.owned = owned;
        pool.granted = 0;
        owned.ledger().numbersUpTo(highestNumber);
        known.holders().forEach(owned::holder);
        for (PoolRoster.Entry entry : roster.entries()) PoolRoster.tell(entry, new ToLedgers());
    }

    private static void drop(Pool pool) {
        OwnedPool owned = pool.owned;
        pool.owned = null;
        if (owned != null) owned.close();
    }

    @Override
    public void holder(RegisteredHolder now) {
        for (Pool pool : pools.values()) if (pool.owned != null) pool.owned.holder(now);
    }

    /** What was written before may be lost, and with it who holds slots: nobody grants any. */
    @Override
    public void genesis(GenesisState now) {
        if (now.sound()) return;
        pools.forEach((id, pool) -> {
            OwnedPool owned = pool.owned;
            if (owned == null || !owned.ledger().areFactsRead()) return;
            LOG.atError()
                    .addKeyValue(LogKeys.POOL, id)
                    .addKeyValue(LogKeys.ERROR, text(now))
                    .log("registrations may be lost, no slots are granted");
            drop(pool);
            own(id, pool, owned.epoch());
        });
    }

    @Override
    public LedgerReceiver<FromHolder> opened(LedgerStream<FromOwner> stream) {
        return new HolderStream(stream, this::owned);
    }

    private @Nullable PoolLedger owned(PoolId id) {
        Pool pool = pools.get(id);
        OwnedPool owned = pool == null ? null : pool.owned;
        return owned == null ? null : owned.ledger();
    }

    private final class ToLedgers implements PoolRoster.Listener {
        @Override
        public void present(Replica replica) {
            if (models == null) return;
            int limit = limits.of(replica);
            int highest = numberToHighestLimit.merge(replica.number(), limit, Math::max);
            PoolLedger ledger = owned(replica.pool());
            if (ledger != null) ledger.present(replica, limit, highest);
        }

        @Override
        public void gone(Replica replica) {
            PoolLedger ledger = owned(replica.pool());
            if (ledger != null) ledger.gone(replica);
        }
    }
}
