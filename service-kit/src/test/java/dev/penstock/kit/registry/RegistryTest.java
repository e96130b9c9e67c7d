package dev.penstock.kit.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.model.ClaimRecord;
import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import dev.penstock.model.HolderKind;
import dev.penstock.model.PoolId;
import dev.penstock.model.Roles;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.wire.ClaimCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final PoolId POOL = new PoolId("local", "llama");

    private final Vertx vertx = Vertx.vertx();
    private final List<KafkaBus> buses = new ArrayList<>();
    private FreshInfra infra;

    @TempDir
    private Path directory;

    /** A process's part, on a context of its own. */
    private record Party(Incarnation self, Context context, KafkaBus bus, Registry registry, RegistryWriter writer) {
        <T> T on(Callable<Future<T>> work) throws Exception {
            return begin(work).toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }

        <T> Future<T> begin(Callable<Future<T>> work) {
            Promise<T> done = Promise.promise();
            context.runOnContext(run -> {
                try {
                    work.call().onComplete(done);
                } catch (Exception failure) {
                    done.fail(failure);
                }
            });
            return done.future();
        }

        Holder holder() {
            return new Holder(self.name(), self.nonce());
        }

        Registration register(HolderLock lock) throws Exception {
            return on(() -> Registration.register(registry, writer, HolderKind.ROUTER, lock, "http://h:8081"));
        }

        RegisteredHolder reads(Holder holder) throws Exception {
            return on(() -> registry.readToEnd().map(read -> registry.holder(holder)));
        }

        GenesisState genesis() throws Exception {
            return on(() -> registry.readToEnd().map(read -> registry.genesis()));
        }
    }

    @BeforeEach
    void start() {
        infra = FreshInfra.start();
    }

    @AfterEach
    void stop() throws Exception {
        for (KafkaBus bus : buses) join(bus.close());
        join(vertx.close());
        infra.close();
    }

    @Test
    void a_holder_is_known_to_all_and_knows_the_epochs_before_it() throws Exception {
        Party owner = party("admission-0");
        claim(owner, false);
        Party router = party("router-0");
        try (HolderLock lock = HolderLock.take(directory, "router-0")) {
            Registration registration = router.register(lock);

            RegisteredHolder known = owner.reads(router.holder());
            assertThat(known.registration().lock()).isEqualTo(lock.identity());
            assertThat(known.registration().kind()).isEqualTo(HolderKind.ROUTER);
            assertThat(known.dead()).isFalse();
            assertThat(registration.holder()).isEqualTo(router.holder());
            StandingClaim claim =
                    router.on(() -> Future.succeededFuture(router.registry().highestClaim(Roles.ledger(POOL))));
            assertThat(claim.memberId()).isEqualTo(owner.self().memberId());
            assertThat(claim.address()).isEqualTo("127.0.0.1:9084");
            assertThat(registration.floorEpoch(Roles.ledger(POOL))).isEqualTo(claim.epoch());
            assertThat(registration.floorEpoch("ledger/local/other")).isEqualTo(Header.NO_EPOCH);

            claim(owner, true);
            router.on(() -> router.registry().readToEnd());
            assertThat(router.registry().highestClaim(Roles.ledger(POOL))).isNull();
            router.on(() -> registration.leave(Map.of(POOL, claim.epoch())));
            RegisteredHolder gone = owner.reads(router.holder());
            assertThat(gone.left().followed()).containsEntry(POOL, claim.epoch());

            owner.on(() -> owner.writer().forget(gone));
            assertThat(owner.reads(router.holder())).isNull();
        }
    }

    @Test
    void the_first_of_two_with_the_same_lock_is_dead_for_all_readers() throws Exception {
        Party watcher = party("admission-0");
        List<String> told = new CopyOnWriteArrayList<>();
        watcher.on(() -> {
            watcher.registry().listen(new RegistryListener() {
                @Override
                public void holder(RegisteredHolder now) {
                    told.add(now.holder() + (now.dead() ? " dead" : " alive"));
                }
            });
            return Future.succeededFuture();
        });
        Party first = party("router-0");
        try (HolderLock lock = HolderLock.take(directory, "router-0")) {
            first.register(lock);
        }
        Party second = party("router-0");
        try (HolderLock lock = HolderLock.take(directory, "router-0")) {
            second.register(lock);
        }
        Party later = party("admission-1");

        for (Party reader : List.of(watcher, first, second, later)) {
            assertThat(reader.reads(first.holder()).death())
                    .contains(second.holder().toString());
            assertThat(reader.reads(second.holder()).dead()).isFalse();
        }
        assertThat(told)
                .containsExactly(first.holder() + " alive", first.holder() + " dead", second.holder() + " alive");
        watcher.on(() -> watcher.writer().settled(first.holder(), POOL, 4, List.of(1, 2)));
        watcher.on(() -> watcher.writer().died(second.holder(), "operator"));
        assertThat(later.reads(first.holder()).settled().get(POOL).numbers()).containsExactly(1, 2);
        assertThat(later.reads(second.holder()).death()).isEqualTo("operator");
    }

    @Test
    void those_who_begin_the_topic_together_agree_on_one_genesis() throws Exception {
        List<Party> parties = new ArrayList<>();
        for (int i = 0; i < 4; i++) parties.add(party("router-" + i));
        assertThat(parties.getFirst().genesis()).isEqualTo(new GenesisState.Missing());
        List<Future<Registration>> registering = new ArrayList<>();
        for (Party each : parties) {
            HolderLock lock = HolderLock.take(directory, each.self().name());
            registering.add(each.begin(() ->
                    Registration.register(each.registry(), each.writer(), HolderKind.ROUTER, lock, "http://h:8081")));
        }
        for (Future<Registration> each : registering) join(each);

        GenesisState genesis = parties.getFirst().genesis();
        assertThat(genesis.sound()).isTrue();
        for (Party each : parties) assertThat(each.genesis()).isEqualTo(genesis);
        Party later = party("router-9");
        later.register(HolderLock.take(directory, "router-9"));
        assertThat(later.genesis()).isEqualTo(genesis);
        assertThat(later.registry().overwrittenGenesis()).isNull();
    }

    @Test
    void nobody_registers_while_kafka_is_away_and_all_is_well_after_it() throws Exception {
        Party router = party("router-0");
        assertThat(router.genesis()).isEqualTo(new GenesisState.Missing());
        try (HolderLock lock = HolderLock.take(directory, "router-0")) {
            infra.kafkaProxy().freeze();
            long start = System.nanoTime();
            Future<Registration> refused = router.begin(() -> Registration.register(
                    router.registry(), router.writer(), HolderKind.ROUTER, lock, "http://h:8081"));
            Await.until("said", SOON, refused::isComplete);
            assertThat(refused.cause()).hasMessageContaining("not read to the end");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(6_000));

            infra.kafkaProxy().pass();
            Await.until("registered", SOON, () -> {
                Future<Registration> again = router.begin(() -> Registration.register(
                        router.registry(), router.writer(), HolderKind.ROUTER, lock, "http://h:8081"));
                Await.until("said", SOON, again::isComplete);
                return again.succeeded();
            });
            assertThat(router.genesis().sound()).isTrue();
        }
    }

    private void claim(Party by, boolean released) throws Exception {
        Header header = new Header(by.self().name(), by.self().nonce(), 1, Header.NO_EPOCH, 1);
        String role = Roles.ledger(POOL);
        byte[] claim = ClaimCodec.encode(new ClaimRecord(header, role, released, "127.0.0.1:9084"));
        by.on(() -> by.bus().publish(Topics.CLAIMS, 0, role, claim));
    }

    private Party party(String name) throws Exception {
        Incarnation self = Incarnation.fresh(name);
        KafkaBus bus = KafkaBus.create(
                vertx, new KafkaConfig(infra.bootstrapServers(), (short) 1), self, new SimpleMeterRegistry());
        buses.add(bus);
        Context context = vertx.getOrCreateContext();
        Promise<Registry> started = Promise.promise();
        Promise<Void> caughtUp = Promise.promise();
        context.runOnContext(begin -> started.complete(Registry.start(bus, caughtUp::complete)));
        Registry registry = join(started.future());
        join(caughtUp.future());
        return new Party(self, context, bus, registry, new RegistryWriter(bus, self));
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
