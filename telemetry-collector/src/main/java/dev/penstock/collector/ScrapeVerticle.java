package dev.penstock.collector;

import dev.penstock.collector.kvevents.KvEvents;
import dev.penstock.collector.page.ReplicasPage;
import dev.penstock.collector.publish.TelemetryPublisher;
import dev.penstock.collector.roster.RestartFeed;
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
    private static final Duration PAGE_TICK = Duration.ofMillis(250);

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

    record Parts(
            RosterFollower follower,
            RosterOwner owner,
            RestartFeed restarts,
            ShardPlan shards,
            InflightSums sums,
            InflightFeed inflight,
            ScrapeLoop scrapes,
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
                (topic, key, value, nanos) -> parts.restarts().record(value),
                () -> {}));
        claim = ClaimHolder.start(vertx, bus, members, self, Roles.ROSTER, parts.owner());
        tasks.add(PeriodicTask.start(vertx, "discovery", DISCOVERY_TICK, 0, parts.owner()::tick));
        tasks.add(PeriodicTask.start(vertx, "scrapes", SCRAPE_TICK, 0, parts.scrapes()::tick));
        tasks.add(PeriodicTask.start(vertx, "frames", FRAME_TICK, 0, parts.telemetry()::tick));
        parts.kvEvents().start();
        tasks.add(PeriodicTask.start(vertx, "kv-events", DISCOVERY_TICK, 0, parts.kvEvents()::tick));
        tasks.add(PeriodicTask.start(vertx, "page", PAGE_TICK, 0, this::look));
        return Future.succeededFuture();
    }

    private void followed() {
        parts.follower().caughtUp();
        if (!parts.owner().owns()) roster.ok();
    }

    @Override
    public Future<?> stop() {
        tasks.forEach(PeriodicTask::close);
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
