package dev.penstock.health;

import dev.penstock.core.health.FleetHealth;
import dev.penstock.health.config.HealthConfig;
import dev.penstock.health.feed.HealthFeed;
import dev.penstock.health.page.VerdictsPage;
import dev.penstock.health.probe.EngineProbe;
import dev.penstock.health.probe.ProbeLoop;
import dev.penstock.health.publish.VerdictPublisher;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import dev.penstock.kit.run.ServiceContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

/** health-svc's parts list: what it is made of and who knows whom. */
public final class HealthWiring {
    private static final LongSupplier NANO_CLOCK = System::nanoTime;
    private static final Duration BEAT = Duration.ofSeconds(1);

    private HealthWiring() {}

    public static Future<RunningService> start(ServiceContext context) {
        HealthConfig config = HealthConfig.read(context.config());
        KafkaConfig kafka = KafkaConfig.read(context.config());
        RedisConfig redis = RedisConfig.read(context.config());
        SecurityConfig security = SecurityConfig.read(context.config());
        try {
            context.config().finish();
        } catch (ConfigException e) {
            return Future.failedFuture(e);
        }
        Vertx vertx = context.vertx();
        Incarnation self = context.incarnation();
        Readiness readiness = new Readiness();
        KafkaBus bus = KafkaBus.create(vertx, kafka, self, context.meters());
        Membership members = Membership.start(vertx, redis, "health", self, BEAT);
        Membership routers = Membership.observe(vertx, redis, "router", BEAT);

        HealthMetrics metrics = new HealthMetrics(context.meters());
        FleetHealth fleet =
                new FleetHealth(config.rules(), new Random(), new VerdictChanges(metrics), NANO_CLOCK.getAsLong());
        VerdictPublisher publisher = new VerdictPublisher(bus, self, fleet, NANO_CLOCK);
        EngineProbe engines = new EngineProbe(vertx, NANO_CLOCK);
        VerdictsPage page = new VerdictsPage(fleet, publisher, NANO_CLOCK);
        HealthVerticle verticle = new HealthVerticle(
                new HealthVerticle.Bus(
                        bus,
                        self,
                        members,
                        routers,
                        readiness.condition("kafka", "Kafka has not answered yet"),
                        readiness.condition("facts", "reading the roster and the verdicts")),
                new HealthVerticle.Parts(
                        fleet,
                        new HealthFeed(fleet),
                        new VerdictRole(fleet, publisher),
                        new ProbeLoop(fleet, engines, metrics, NANO_CLOCK),
                        engines,
                        publisher,
                        metrics,
                        page),
                NANO_CLOCK);

        return ManagementServer.start(
                        vertx,
                        config.host(),
                        config.managementPort(),
                        readiness,
                        context.meters(),
                        context.config().effective(),
                        Map.of("verdicts", page::page),
                        security.managementToken())
                .compose(management -> vertx.deployVerticle(verticle)
                        .<RunningService>map(deployment -> new RunningHealth(
                                vertx, self.name(), deployment, readiness, management, bus, members, routers, engines)))
                .recover(failure -> Future.join(List.of(members.close(), routers.close(), bus.close(), engines.close()))
                        .transform(closed -> Future.failedFuture(failure)));
    }
}
