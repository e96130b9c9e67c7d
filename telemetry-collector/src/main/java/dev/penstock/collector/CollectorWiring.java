package dev.penstock.collector;

import dev.penstock.collector.capacity.CapacityBook;
import dev.penstock.collector.capacity.CapacityMeters;
import dev.penstock.collector.capacity.CoreLearner;
import dev.penstock.collector.config.DiscoveryConfig;
import dev.penstock.collector.config.TelemetryConfig;
import dev.penstock.collector.discovery.Discovery;
import dev.penstock.collector.discovery.FileDiscovery;
import dev.penstock.collector.discovery.ModelLearner;
import dev.penstock.collector.discovery.SeenAdapters;
import dev.penstock.collector.discovery.StaticDiscovery;
import dev.penstock.collector.http.BoundedGet;
import dev.penstock.collector.kvevents.KvEvents;
import dev.penstock.collector.kvevents.Vocabularies;
import dev.penstock.collector.page.ReplicasPage;
import dev.penstock.collector.publish.FrameBuilder;
import dev.penstock.collector.publish.TelemetryFeed;
import dev.penstock.collector.publish.TelemetryPublisher;
import dev.penstock.collector.roster.ReadyTimes;
import dev.penstock.collector.roster.RestartFeed;
import dev.penstock.collector.roster.RosterBook;
import dev.penstock.collector.roster.RosterFollower;
import dev.penstock.collector.roster.RosterOwner;
import dev.penstock.collector.roster.RosterPublisher;
import dev.penstock.collector.scrape.InflightFeed;
import dev.penstock.collector.scrape.InflightSums;
import dev.penstock.collector.scrape.MetricsClient;
import dev.penstock.collector.scrape.SampleBook;
import dev.penstock.collector.scrape.ScrapeLoop;
import dev.penstock.collector.scrape.ShardPlan;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import dev.penstock.kit.run.ServiceContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/** The collector's parts list: what it is made of and who knows whom. */
public final class CollectorWiring {
    private static final LongSupplier NANO_CLOCK = System::nanoTime;
    /** Collectors must notice each other's end within 600 ms. */
    private static final Duration BEAT = Duration.ofMillis(200);

    private CollectorWiring() {}

    public static Future<RunningService> start(ServiceContext context) {
        TelemetryConfig config = TelemetryConfig.read(context.config());
        DiscoveryConfig sources = DiscoveryConfig.read(context.config());
        KafkaConfig kafka = KafkaConfig.read(context.config());
        RedisConfig redis = RedisConfig.read(context.config());
        SecurityConfig security = SecurityConfig.read(context.config());
        List<ModelConfig> configured = ModelConfig.readAll(context.config());
        Vocabularies vocabularies;
        try {
            context.config().finish();
            vocabularies = Vocabularies.read(configured);
        } catch (ConfigException | IOException e) {
            return Future.failedFuture(e);
        }
        Vertx vertx = context.vertx();
        Incarnation self = context.incarnation();
        Readiness readiness = new Readiness();
        Condition kafkaReady = readiness.condition("kafka", "Kafka has not answered yet");
        Condition rosterReady = readiness.condition("roster", "reading the roster topic");
        KafkaBus bus = KafkaBus.create(vertx, kafka, self, context.meters());
        Membership members = Membership.start(vertx, redis, "collector", self, BEAT);

        BoundedGet http = new BoundedGet(vertx);
        Discovery discovery =
                switch (sources.source()) {
                    case FILE -> new FileDiscovery(vertx, sources.file());
                    case STATIC -> new StaticDiscovery(sources.replicas());
                };
        InflightSums sums = new InflightSums();
        CapacityBook capacities = new CapacityBook(sums::of, CoreLearner::new);
        SampleBook book = new SampleBook(config.interval(), config.idleInterval(), sums::of, capacities::capacityMilli);
        SeenAdapters adapters = new SeenAdapters();
        ScrapeLoop scrapes = new ScrapeLoop(
                new MetricsClient(http, NANO_CLOCK), book, List.of(adapters, capacities), context.meters(), NANO_CLOCK);
        KvEvents kvEvents = new KvEvents(vertx, vocabularies, discovery, bus, self, context.meters(), NANO_CLOCK);
        // a second listener would begin with a clear of what the first one told
        ShardPlan shards = new ShardPlan(self.memberId(), scrapes::roster, kvEvents::roster);
        ReadyTimes readyTimes = new ReadyTimes();
        RosterFollower follower = new RosterFollower(shards::roster, readyTimes, NANO_CLOCK);
        RosterOwner owner = new RosterOwner(
                bus,
                epoch -> new RosterPublisher(
                        bus,
                        self,
                        discovery,
                        // what an earlier owner of this process learned may be of hours ago
                        new ModelLearner(
                                endpoint ->
                                        http.get(endpoint, "/v1/models", ModelLearner.LIMIT, ModelLearner.MAX_BYTES),
                                adapters,
                                NANO_CLOCK),
                        new RosterBook(() -> UUID.randomUUID().toString(), readyTimes),
                        rosterReady,
                        epoch,
                        NANO_CLOCK,
                        System::currentTimeMillis),
                rosterReady);
        FrameBuilder frames = new FrameBuilder(self, book, NANO_CLOCK.getAsLong());
        ReplicasPage page = new ReplicasPage(discovery, owner, scrapes, book, capacities, NANO_CLOCK);
        ScrapeVerticle verticle = new ScrapeVerticle(
                self,
                bus,
                members,
                kafkaReady,
                rosterReady,
                new ScrapeVerticle.Parts(
                        follower,
                        owner,
                        new TelemetryFeed(
                                self,
                                new RestartFeed(owner)::sample,
                                sample -> capacities.heard(sample.number(), sample.capacityMilli())),
                        shards,
                        sums,
                        new InflightFeed(sums, scrapes),
                        scrapes,
                        capacities,
                        new CapacityMeters(capacities, context.meters()),
                        new TelemetryPublisher(bus, frames, NANO_CLOCK),
                        kvEvents,
                        page),
                NANO_CLOCK);

        return ManagementServer.start(
                        vertx,
                        config.host(),
                        config.managementPort(),
                        readiness,
                        context.meters(),
                        context.config().effective(),
                        Map.of("replicas", page::page),
                        security.managementToken())
                .compose(management -> vertx.deployVerticle(verticle)
                        .<RunningService>map(deployment -> new RunningCollector(
                                vertx, self.name(), deployment, readiness, management, bus, members, http)))
                .recover(failure -> Future.join(members.close(), bus.close(), http.close())
                        .transform(closed -> Future.failedFuture(failure)));
    }
}
