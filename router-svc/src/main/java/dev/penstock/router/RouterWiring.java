package dev.penstock.router;

import dev.penstock.core.view.FleetView;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.DataConfig;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.PortTakenException;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.kit.run.RunningService;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.router.account.Arrivals;
import dev.penstock.router.account.InflightPublisher;
import dev.penstock.router.account.OutcomeCounters;
import dev.penstock.router.account.OutcomesPublisher;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.router.fleet.FleetSubscriber;
import dev.penstock.router.fleet.OwnConnects;
import dev.penstock.router.fleet.RosterCopy;
import dev.penstock.router.fleet.RosterFile;
import dev.penstock.router.fleet.SilenceWatch;
import dev.penstock.router.fleet.ViewPage;
import dev.penstock.router.ingress.BodyMemory;
import dev.penstock.router.ingress.IngressVerticle;
import dev.penstock.router.ingress.ModelNames;
import dev.penstock.router.ingress.RequestIds;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** The router's parts list: what it is made of and who knows whom. */
public final class RouterWiring {
    private static final LongSupplier NANO_CLOCK = System::nanoTime;
    private static final long COPY_AFTER_MILLIS = 2_000;
    private static final long READY_AT_LATEST_MILLIS = 5_000;

    private RouterWiring() {}

    public static Future<RunningService> start(ServiceContext context) {
        RouterConfig config = RouterConfig.read(context.config());
        KafkaConfig kafka = KafkaConfig.read(context.config());
        RedisConfig redis = RedisConfig.read(context.config());
        DataConfig data = DataConfig.read(context.config());
        SecurityConfig security = SecurityConfig.read(context.config());
        List<ModelConfig> models = ModelConfig.readAll(context.config());
        try {
            context.config().finish();
        } catch (ConfigException e) {
            return Future.failedFuture(e);
        }
        Vertx vertx = context.vertx();
        String name = config.name() == null ? context.incarnation().name() : config.name();
        Incarnation self = new Incarnation(name, context.incarnation().nonce());
        FleetView view = new FleetView(self.nonce());
        view.know(models.stream().map(ModelConfig::name).toList());
        Arrivals arrivals = new Arrivals();
        Readiness readiness = new Readiness();
        KafkaBus bus = KafkaBus.create(vertx, kafka, self, context.meters());
        Membership members = Membership.start(vertx, redis, "router", self, Duration.ofSeconds(1));
        Context writer = vertx.getOrCreateContext();
        writer.runOnContext(
                v -> feed(vertx, view, arrivals, bus, self, readiness, new RosterFile(data.directory(), name)));

        OutcomesPublisher outcomes = new OutcomesPublisher(bus, self, NANO_CLOCK);
        BodyMemory memory = new BodyMemory(config.bodyMemory());
        RequestIds ids = new RequestIds(name, System::currentTimeMillis);
        ModelNames names = new ModelNames(models);
        OutcomeCounters counters = new OutcomeCounters(context.meters());
        RouterGauges.register(context.meters(), view, memory, NANO_CLOCK);
        List<IngressVerticle> listeners = new CopyOnWriteArrayList<>();
        Future<?> warm = config.warmUp() ? WarmUp.run(vertx, readiness) : Future.succeededFuture();
        ViewPage page = new ViewPage(view, name, NANO_CLOCK);
        DeploymentOptions perLoop = new DeploymentOptions()
                .setInstances(Math.max(1, Runtime.getRuntime().availableProcessors()));
        return warm.compose(v -> ManagementServer.start(
                        vertx,
                        config.host(),
                        config.managementPort(),
                        readiness,
                        context.meters(),
                        context.config().effective(),
                        Map.of("view", page::render),
                        security.managementToken()))
                .compose(management -> vertx.deployVerticle(
                                () -> new IngressVerticle(
                                        config,
                                        view,
                                        readiness,
                                        memory,
                                        ids,
                                        names,
                                        arrivals,
                                        counters,
                                        recorder -> {
                                            var drained = recorder.drain();
                                            if (!drained.isEmpty()) writer.runOnContext(x -> outcomes.publish(drained));
                                        },
                                        NANO_CLOCK,
                                        listeners::add),
                                perLoop)
                        .recover(failure ->
                                management.close().transform(x -> Future.failedFuture(named(failure, config))))
                        .map(deployed ->
                                new RunningRouter(vertx, name, readiness, management, listeners, bus, members)));
    }

    /** Everything that writes to the view, on the one context that does. */
    private static void feed(
            Vertx vertx,
            FleetView view,
            Arrivals arrivals,
            KafkaBus bus,
            Incarnation self,
            Readiness readiness,
            RosterFile file) {
        SplittableRandom random = new SplittableRandom();
        Condition roster = readiness.condition("roster", "reading the roster");
        RosterCopy copy = new RosterCopy(vertx, view, file);
        OwnConnects connects = new OwnConnects(vertx, view, NANO_CLOCK, random);
        InflightPublisher inflight = new InflightPublisher(bus, view, arrivals, self, NANO_CLOCK);
        SilenceWatch silence = new SilenceWatch(view, random);
        new FleetSubscriber(view, copy).subscribe(bus);
        copy.useUnlessCaughtUp(COPY_AFTER_MILLIS);
        // Warm = somebody can be routed to; later than 5 s it starts all the same, and answers 503 honestly.
        PeriodicTask.start(vertx, "view", Duration.ofMillis(100), 0, () -> {
            if (view.current().entries().stream().anyMatch(entry -> entry.cell().candidate())) roster.ok();
            view.fadePeers(NANO_CLOCK.getAsLong());
            silence.look(NANO_CLOCK.getAsLong());
            inflight.publish();
            connects.tryDue();
        });
        PeriodicTask.start(vertx, "failure-rates", Duration.ofSeconds(1), 0, view::foldFailureRates);
        PeriodicTask.start(vertx, "roster-copy", Duration.ofSeconds(1), 0.1, copy::writeIfChanged);
        vertx.setTimer(READY_AT_LATEST_MILLIS, timer -> roster.ok());
    }

    private static Throwable named(Throwable failure, RouterConfig config) {
        return failure instanceof BindException ? new PortTakenException(config.port(), "router.port") : failure;
    }
}
