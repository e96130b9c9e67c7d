package dev.penstock.collector;

import dev.penstock.collector.capacity.CapacityBook;
import dev.penstock.collector.capacity.CapacityMeters;
import dev.penstock.collector.kvevents.KvEvents;
import dev.penstock.collector.page.ReplicasPage;
import dev.penstock.collector.publish.TelemetryFeed;
import dev.penstock.collector.publish.TelemetryPublisher;
import dev.penstock.collector.roster.RosterFollower;
import dev.penstock.collector.roster.RosterOwner;
import dev.penstock.collector.scrape.InflightFeed;
import dev.penstock.collector.scrape.InflightSums;
import dev.penstock.collector.scrape.ScrapeLoop;
import dev.penstock.collector.scrape.ShardPlan;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.claims.ClaimHolder;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.model.Roles;
import dev.penstock.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The one context of the collector: everything it knows is written here. */
final class ScrapeVerticle extends VerticleBase {
    private static final Duration SCRAPE_TICK = Duration.ofMillis(10);
    private static final Duration FRAME_TICK = Duration.ofMillis(50);
    private static final Duration DISCOVERY_TICK = Duration.ofMillis(500);
    private static final Duration MODELS_TICK = Duration.ofMillis(100);
    private static final Duration CAPACITY_TICK = Duration.ofSeconds(1);
    private static final Duration PAGE_TICK = Duration.ofMillis(250);

    /** Of each shard, at least three of them full: one a second is, and there are at most twenty. */
    private static final int PAST_FRAMES = 64;

    private final Incarnation self;
    private final KafkaBus bus;
    private final Membership members;
    private final Condition kafka;
    private final Condition roster;
    private final Parts parts;
    private final LongSupplier nanoClock;
    private final List<PeriodicTask> tasks = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private @Nullable ClaimHolder claim;
    private @Nullable Subscription past;

    record Parts(
            RosterFollower follower,
            RosterOwner owner,
            TelemetryFeed heard,
            ShardPlan shards,
            InflightSums sums,
            InflightFeed inflight,
            ScrapeLoop scrapes,
            CapacityBook capacities,
            CapacityMeters capacityMeters,
            TelemetryPublisher telemetry,
            KvEvents kvEvents,
            ReplicasPage page) {}

    ScrapeVerticle(
            Incarnation self,
            KafkaBus bus,
            Membership members,
            Condition kafka,
            Condition roster,
            Parts parts,
            LongSupplier nanoClock) {
        this.self = self;
        this.bus = bus;
        this.members = members;
        this.kafka = kafka;
        this.roster = roster;
        this.parts = parts;
        this.nanoClock = nanoClock;
    }

    @Override
    public Future<?> start() {
        subscriptions.add(bus.subscribe(
                List.of(Topics.ROSTER),
                (topic, key, value, nanos) -> parts.follower().record(key, value),
                this::followed));
        subscriptions.add(bus.subscribe(
                List.of(Topics.INFLIGHT),
                (topic, key, value, nanos) -> parts.inflight().record(value, nanos),
                () -> {}));
        subscriptions.add(bus.subscribe(
                List.of(Topics.TELEMETRY),
                (topic, key, value, nanos) -> parts.heard().record(value),
                () -> {}));
        past = bus.subscribeFromTail(
                List.of(Topics.TELEMETRY),
                PAST_FRAMES,
                (topic, key, value, nanos) -> parts.heard().past(value),
                this::pastRead);
        claim = ClaimHolder.start(vertx, bus, members, self, Roles.ROSTER, parts.owner());
        tasks.add(PeriodicTask.start(vertx, "discovery", DISCOVERY_TICK, 0, parts.owner()::tick));
        tasks.add(PeriodicTask.start(vertx, "models", MODELS_TICK, 0, parts.owner()::askModels));
        tasks.add(PeriodicTask.start(vertx, "scrapes", SCRAPE_TICK, 0, parts.scrapes()::tick));
        tasks.add(PeriodicTask.start(vertx, "frames", FRAME_TICK, 0, parts.telemetry()::tick));
        tasks.add(PeriodicTask.start(vertx, "capacity", CAPACITY_TICK, 0, this::capacity));
        parts.kvEvents().start();
        tasks.add(PeriodicTask.start(vertx, "kv-events", DISCOVERY_TICK, 0, parts.kvEvents()::tick));
        tasks.add(PeriodicTask.start(vertx, "page", PAGE_TICK, 0, this::look));
        return Future.succeededFuture();
    }

    /** What came since comes by the other subscription as well. */
    private void pastRead() {
        if (past != null) past.close();
        past = null;
    }

    private void capacity() {
        parts.capacities().tick(nanoClock.getAsLong());
        parts.capacityMeters().refresh();
    }

    private void followed() {
        parts.follower().caughtUp();
        if (!parts.owner().owns()) roster.ok();
    }

    @Override
    public Future<?> stop() {
        tasks.forEach(PeriodicTask::close);
        if (past != null) subscriptions.add(past);
        Future<Void> released = claim == null ? Future.succeededFuture() : claim.close();
        return released.eventually(parts.kvEvents()::close)
                .compose(done -> Future.join(
                        subscriptions.stream().map(Subscription::close).toList()));
    }

    /** Once reached, Kafka's absence makes telemetry late, not this service unready; a gauge tells of it. */
    private void look() {
        if (bus.connected()) kafka.ok();
        parts.sums().expire(nanoClock.getAsLong());
        parts.shards().members(members.live());
        parts.page().refresh();
    }
}
