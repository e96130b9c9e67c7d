package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.SlotCell;
import dev.penstock.core.ledger.Sync;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.ledger.FromHolder;
import dev.penstock.kit.ledger.FromOwner;
import dev.penstock.kit.ledger.LedgerClient;
import dev.penstock.kit.ledger.LedgerReceiver;
import dev.penstock.kit.ledger.LedgerStream;
import dev.penstock.kit.registry.HolderLock;
import dev.penstock.kit.registry.Registration;
import dev.penstock.kit.registry.Registry;
import dev.penstock.kit.registry.RegistryWriter;
import dev.penstock.kit.registry.StandingClaim;
import dev.penstock.model.Holder;
import dev.penstock.model.HolderKind;
import dev.penstock.model.PoolId;
import dev.penstock.model.Roles;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A registered holder that follows one pool's owner over the network, with the production book and no requests. */
public final class NetworkHolder {
    private final Vertx vertx;
    private final Context context;
    private final PoolId pool;
    private final Incarnation self;
    private final KafkaBus bus;
    private final LedgerClient client;
    private final HolderLock lock;
    private final ReplicaIndexes indexes = new ReplicaIndexes();
    private final Map<Integer, SlotCell> numberToCell = new ConcurrentHashMap<>();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private @Nullable Registry registry;
    private @Nullable HolderBook book;
    private @Nullable LedgerStream<FromHolder> stream;
    private boolean opening;
    private volatile boolean over;
    private volatile long followed = -1;

    private NetworkHolder(Vertx vertx, String bootstrap, Path directory, String name, PoolId pool) throws IOException {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.pool = pool;
        self = Incarnation.fresh(name);
        lock = HolderLock.take(directory, name);
        bus = KafkaBus.create(vertx, new KafkaConfig(bootstrap, (short) 1), self, new SimpleMeterRegistry());
        client = new LedgerClient(vertx);
    }

    /** Registers; it holds slots some time later. */
    public static NetworkHolder start(Vertx vertx, String bootstrap, Path directory, String name, PoolId pool)
            throws Exception {
        NetworkHolder holder = new NetworkHolder(vertx, bootstrap, directory, name, pool);
        holder.on(holder::register);
        return holder;
    }

    private Future<Void> register() {
        Registry topics = Registry.start(bus);
        registry = topics;
        return Registration.register(topics, new RegistryWriter(bus, self), HolderKind.ROUTER, lock, "")
                .map(registration -> {
                    HolderId id = new HolderId(self.name(), self.nonce());
                    book = new HolderBook(id, registration.floorEpoch(Roles.ledger(pool)), Rules.ALL);
                    vertx.setPeriodic(100, tick -> tick());
                    return null;
                });
    }

    private void tick() {
        HolderBook known = book;
        Registry topics = registry;
        if (over || known == null || topics == null) return;
        StandingClaim claim = topics.highestClaim(Roles.ledger(pool));
        LedgerStream<FromHolder> open = stream;
        if (open != null && open.isOpen() && (claim == null || claim.epoch() == known.epoch())) {
            open.send(new FromHolder.Report(numbers(), used(), 0, 0));
        } else if (claim != null && claim.address() != null && !opening && known.mayFollow(claim.epoch())) {
            follow(known, claim);
        }
    }

    private void follow(HolderBook known, StandingClaim claim) {
        opening = true;
        if (stream != null) stream.close();
        String address = claim.address();
        if (address == null) return;
        Receiver receiver = new Receiver(known, claim.epoch());
        client.open(address, receiver).onComplete(opened -> {
            opening = false;
            if (opened.failed() || over) return;
            stream = opened.result();
            Sync sync = known.open(claim.epoch());
            receiver.session = sync.session();
            stream.send(new FromHolder.Sync(
                    new Holder(self.name(), self.nonce()),
                    pool,
                    sync.epoch(),
                    sync.session(),
                    numbers(),
                    sync.held(),
                    used(),
                    0));
        });
    }

    private final class Receiver implements LedgerReceiver<FromOwner> {
        private final HolderBook known;
        private final long epoch;
        private long session;

        Receiver(HolderBook known, long epoch) {
            this.known = known;
            this.epoch = epoch;
        }

        @Override
        public void message(FromOwner message) {
            switch (message) {
                case FromOwner.Welcome welcome -> followed = epoch;
                case FromOwner.Refused(String reason) -> refusals.add(reason);
                case FromOwner.Granted(int[] numbers, int[] slots) -> {
                    for (int i = 0; i < numbers.length; i++)
                        known.granted(epoch, session, index(known, numbers[i]), slots[i]);
                }
                case FromOwner.Recalled(int[] numbers, int[] targets) -> {
                    for (int i = 0; i < numbers.length; i++) {
                        int slots = known.recalled(epoch, session, index(known, numbers[i]), targets[i]);
                        LedgerStream<FromHolder> open = stream;
                        if (slots > 0 && open != null)
                            open.send(new FromHolder.Returned(new int[] {numbers[i]}, new int[] {slots}));
                    }
                }
            }
        }

        @Override
        public void ended(String reason) {
            if (session == known.session()) known.closed();
        }
    }

    private int index(HolderBook known, int number) {
        int index = indexes.give(number);
        numberToCell.put(number, known.cell(index));
        return index;
    }

    private int[] numbers() {
        int[] numbers = new int[indexes.count()];
        for (int i = 0; i < numbers.length; i++) numbers[i] = indexes.number(i);
        return numbers;
    }

    private int[] used() {
        int[] used = new int[indexes.count()];
        for (int i = 0; i < used.length; i++)
            used[i] = numberToCell.get(indexes.number(i)).used();
        return used;
    }

    public int held(int number) {
        SlotCell cell = numberToCell.get(number);
        return cell == null ? 0 : cell.held();
    }

    /** The epoch of the owner that welcomed it last. */
    public long followed() {
        return followed;
    }

    public List<String> refusals() {
        return refusals;
    }

    public String id() {
        return self.memberId();
    }

    /** As if its process were killed: streams break, the lock is free. */
    public void kill() throws Exception {
        over = true;
        on(client::close);
        bus.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        lock.close();
    }

    private void on(java.util.function.Supplier<Future<Void>> what) throws Exception {
        Promise<Void> done = Promise.promise();
        context.runOnContext(run -> what.get().onComplete(done));
        done.future().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
