package dev.penstock.health;

import dev.penstock.core.health.FleetHealth;
import dev.penstock.core.health.ReplicaHealth;
import dev.penstock.health.feed.HealthFeed;
import dev.penstock.health.page.VerdictsPage;
import dev.penstock.health.probe.EngineProbe;
import dev.penstock.health.probe.ProbeLoop;
import dev.penstock.health.publish.VerdictPublisher;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.claims.ClaimHolder;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.model.Roles;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The one context of health-svc: everything it knows is written here. */
final class HealthVerticle extends VerticleBase {
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Bus bus;
    private final Parts parts;
    private final LongSupplier nanoClock;
    private final List<PeriodicTask> tasks = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private @Nullable ClaimHolder claim;

    /** What it shares with others. */
    record Bus(
            KafkaBus kafka,
            Incarnation self,
            Membership members,
            Membership routers,
            Condition kafkaReady,
            Condition factsReady) {}

    record Parts(
            FleetHealth fleet,
            HealthFeed feed,
            VerdictRole role,
            ProbeLoop probes,
            EngineProbe engines,
            VerdictPublisher publisher,
            HealthMetrics metrics,
            VerdictsPage page) {}

    HealthVerticle(Bus bus, Parts parts, LongSupplier nanoClock) {
        this.bus = bus;
        this.parts = parts;
        this.nanoClock = nanoClock;
    }

    @Override
    public Future<?> start() {
        subscriptions.add(bus.kafka().subscribe(HealthFeed.FACTS, parts.feed()::record, this::factsRead));
        subscriptions.add(bus.kafka().subscribe(HealthFeed.STREAMS, parts.feed()::record, () -> {}));
        claim = ClaimHolder.start(vertx, bus.kafka(), bus.members(), bus.self(), Roles.VERDICTS, parts.role());
        tasks.add(PeriodicTask.start(vertx, "verdicts", TICK, 0, this::tick));
        tasks.add(PeriodicTask.start(vertx, "page", LOOK, 0, this::look));
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        tasks.forEach(PeriodicTask::close);
        parts.probes().close();
        Future<?> released = claim == null ? Future.succeededFuture() : claim.close();
        return released.transform(given ->
                Future.join(subscriptions.stream().map(Subscription::close).toList()));
    }

    private void factsRead() {
        bus.factsReady().ok();
        parts.role().factsRead();
    }

    private void tick() {
        parts.fleet().tick(nanoClock.getAsLong());
        parts.probes().tick();
        parts.publisher().tick();
    }

    /** Once reached, Kafka's absence makes verdicts old, not this service unready; a gauge tells of it. */
    private void look() {
        if (bus.kafka().connected()) bus.kafkaReady().ok();
        parts.fleet()
                .routers(bus.routers().live().stream().map(HealthVerticle::name).toList());
        parts.page().refresh();
        long now = nanoClock.getAsLong();
        Map<String, Integer> counts = new HashMap<>();
        Set<Integer> numbers = new HashSet<>();
        for (ReplicaHealth health : parts.fleet().replicas()) {
            counts.merge(HealthMetrics.label(health.verdict(now)), 1, Integer::sum);
            numbers.add(health.replica().number());
        }
        parts.metrics().count(parts.fleet().leading(), counts);
        parts.engines().keep(numbers);
    }

    /** Of a member id, {@code name/nonce}. */
    private static String name(String memberId) {
        int slash = memberId.lastIndexOf('/');
        return slash < 0 ? memberId : memberId.substring(0, slash);
    }
}
