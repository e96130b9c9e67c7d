package dev.penstock.collector;

import dev.penstock.collector.page.ReplicasPage;
import dev.penstock.collector.publish.TelemetryPublisher;
import dev.penstock.collector.roster.RosterPublisher;
import dev.penstock.collector.scrape.InflightFeed;
import dev.penstock.collector.scrape.InflightSums;
import dev.penstock.collector.scrape.ScrapeLoop;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The one context of the collector: everything it knows is written here. */
final class ScrapeVerticle extends VerticleBase {
    private static final Duration SCRAPE_TICK = Duration.ofMillis(10);
    private static final Duration FRAME_TICK = Duration.ofMillis(50);
    private static final Duration DISCOVERY_TICK = Duration.ofMillis(500);
    private static final Duration PAGE_TICK = Duration.ofMillis(250);

    private final KafkaBus bus;
    private final Condition kafka;
    private final Parts parts;
    private final LongSupplier nanoClock;
    private final List<PeriodicTask> tasks = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();

    record Parts(
            RosterPublisher roster,
            InflightSums sums,
            InflightFeed inflight,
            ScrapeLoop scrapes,
            TelemetryPublisher telemetry,
            ReplicasPage page) {}

    ScrapeVerticle(KafkaBus bus, Condition kafka, Parts parts, LongSupplier nanoClock) {
        this.bus = bus;
        this.kafka = kafka;
        this.parts = parts;
        this.nanoClock = nanoClock;
    }

    @Override
    public Future<?> start() {
        subscriptions.add(bus.subscribe(
                List.of(Topics.ROSTER),
                (topic, key, value, nanos) -> parts.roster().record(key, value),
                parts.roster()::caughtUp));
        subscriptions.add(bus.subscribe(
                List.of(Topics.INFLIGHT),
                (topic, key, value, nanos) -> parts.inflight().record(value, nanos),
                () -> {}));
        tasks.add(PeriodicTask.start(vertx, "discovery", DISCOVERY_TICK, 0, parts.roster()::tick));
        tasks.add(PeriodicTask.start(vertx, "scrapes", SCRAPE_TICK, 0, parts.scrapes()::tick));
        tasks.add(PeriodicTask.start(vertx, "frames", FRAME_TICK, 0, parts.telemetry()::tick));
        tasks.add(PeriodicTask.start(vertx, "page", PAGE_TICK, 0, this::look));
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        tasks.forEach(PeriodicTask::close);
        return Future.join(subscriptions.stream().map(Subscription::close).toList());
    }

    /** Once reached, Kafka's absence makes telemetry late, not this service unready; a gauge tells of it. */
    private void look() {
        if (bus.connected()) kafka.ok();
        parts.sums().expire(nanoClock.getAsLong());
        parts.page().refresh();
    }
}
