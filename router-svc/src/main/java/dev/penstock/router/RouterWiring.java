package dev.penstock.router;

import dev.penstock.core.pick.PickRule;
import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.core.session.SessionBook;
import dev.penstock.core.session.SessionPins;
import dev.penstock.core.view.FleetView;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.DataConfig;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.PortTakenException;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.kit.trace.Tracing;
import dev.penstock.kit.trace.TracingConfig;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.PrefixMode;
import dev.penstock.router.account.Arrivals;
import dev.penstock.router.account.DecisionCounters;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.account.DemandPublisher;
import dev.penstock.router.account.EvidencePublisher;
import dev.penstock.router.account.InflightPublisher;
import dev.penstock.router.account.OutcomeCounters;
import dev.penstock.router.account.OutcomeRecorder;
import dev.penstock.router.account.OutcomesPublisher;
import dev.penstock.router.account.RelayCounters;
import dev.penstock.router.auth.Authenticator;
import dev.penstock.router.config.ManagementUrl;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.router.config.UnkeptLimits;
import dev.penstock.router.explain.DecisionPage;
import dev.penstock.router.explain.PeerDecisions;
import dev.penstock.router.fleet.FleetSubscriber;
import dev.penstock.router.fleet.PeerAddresses;
import dev.penstock.router.fleet.RosterCopy;
import dev.penstock.router.fleet.RosterFile;
import dev.penstock.router.fleet.ViewFeed;
import dev.penstock.router.fleet.ViewPage;
import dev.penstock.router.ingress.BodyMemory;
import dev.penstock.router.ingress.IngressParts;
import dev.penstock.router.ingress.IngressVerticle;
import dev.penstock.router.ingress.ModelNames;
import dev.penstock.router.ingress.ModelStrategies;
import dev.penstock.router.ingress.RequestIds;
import dev.penstock.router.job.JobCounters;
import dev.penstock.router.job.JobKeyFile;
import dev.penstock.router.job.Jobs;
import dev.penstock.router.limit.RateLimits;
import dev.penstock.router.prefix.ModelPrefixes;
import dev.penstock.router.prefix.PrefixCounters;
import dev.penstock.router.prefix.PrefixNews;
import dev.penstock.router.prefix.PrefixPublisher;
import dev.penstock.router.prefix.PrefixReader;
import dev.penstock.router.relay.Exchange;
import dev.penstock.router.relay.RelayPolicies;
import dev.penstock.router.session.ModelSessions;
import dev.penstock.router.session.PinCounters;
import dev.penstock.router.session.RedisPins;
import dev.penstock.router.trace.Traces;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The router's parts list: what it is made of and who knows whom. */
public final class RouterWiring {
    private static final Logger LOG = LoggerFactory.getLogger(RouterWiring.class);
    private static final LongSupplier NANO_CLOCK = System::nanoTime;

    /** Sessions of an hour that are known: 40 bytes each. */
    private static final int MOST_PINS = 1 << 18;

    private static final Duration PIN_TTL = Duration.ofHours(1);
    private static final Duration PIN_BEAT = Duration.ofSeconds(1);

    /** 40 bytes each, 21 MB: 20,000 conversations of 100 kB. */
    private static final int MOST_PREFIX_BLOCKS = 1 << 19;

    /** What is kept of the topic; engines evict sooner. */
    private static final Duration PREFIX_TTL = Duration.ofMinutes(10);

    private RouterWiring() {}

    public static Future<RunningService> start(ServiceContext context) {
        RouterConfig config = RouterConfig.read(context.config());
        KafkaConfig kafka = KafkaConfig.read(context.config());
        RedisConfig redis = RedisConfig.read(context.config());
        DataConfig data = DataConfig.read(context.config());
        SecurityConfig security = SecurityConfig.read(context.config());
        List<ModelConfig> models = ModelConfig.readAll(context.config());
        UnkeptLimits.refuse(context.config());
        TracingConfig tracingConfig = TracingConfig.read(context.config());
        Authenticator authenticator = Authenticator.open(security, context.config());
        byte[] jobKey = JobKeyFile.read(security.jobKeyFile(), context.config());
        try {
            context.config().finish();
        } catch (ConfigException e) {
            return Future.failedFuture(e);
        }
        Vertx vertx = context.vertx();
        String name = config.name() == null ? context.incarnation().name() : config.name();
        Incarnation self = new Incarnation(name, context.incarnation().nonce());
        Readiness readiness = new Readiness();
        KafkaBus bus = KafkaBus.create(vertx, kafka, self, context.meters());
        Membership members = Membership.start(vertx, redis, "router", self, Duration.ofSeconds(1));

        FleetView view = new FleetView(name, self.nonce());
        view.know(models.stream().map(ModelConfig::name).toList());
        ModelNames names = new ModelNames(models);
        ModelStrategies<PickRule> strategies = new ModelStrategies<>(models, PickRule::of);
        for (ModelConfig model : models)
            view.slowStart(model.name(), model.slowStart().toNanos());
        for (ModelConfig model : models) view.loadTerms(model.name(), model.loadTerms());
        ModelSessions sessions = new ModelSessions(models);
        SessionPins pins = new SessionPins(MOST_PINS, PIN_TTL.toNanos());
        RedisPins store = new RedisPins(
                vertx, redis, self, MOST_PINS, PIN_TTL, PIN_BEAT, new PinCounters(context.meters(), pins, NANO_CLOCK));
        SessionBook book = new SessionBook(pins, store, NANO_CLOCK);
        store.start(book);
        ModelPrefixes prefixModes = new ModelPrefixes(models);
        PrefixTable prefixes = new PrefixTable(MOST_PREFIX_BLOCKS, PREFIX_TTL.toNanos());
        PrefixCounters prefixCounters = new PrefixCounters(context.meters());
        PrefixPublisher prefixNews = new PrefixPublisher(bus, self, prefixCounters, NANO_CLOCK);
        RelayPolicies policies = new RelayPolicies(models);
        RateLimits rates = new RateLimits(name, models, NANO_CLOCK.getAsLong());
        Arrivals arrivals = new Arrivals();
        DemandLedger demand = new DemandLedger();
        OutcomesPublisher outcomes = new OutcomesPublisher(bus, self, NANO_CLOCK);
        RosterCopy copy = new RosterCopy(vertx, view, new RosterFile(data.directory(), name));
        PeerAddresses addresses = new PeerAddresses(name);
        InflightPublisher inflight = new InflightPublisher(bus, view, arrivals, self, NANO_CLOCK);
        ViewFeed feed = new ViewFeed(
                view,
                new FleetSubscriber(
                        view,
                        copy,
                        addresses,
                        (policy, nanos) -> {
                            names.apply(policy);
                            strategies.apply(policy);
                            view.slowStart(
                                    policy.model(),
                                    strategies.of(policy.model(), null).slowStartNanos());
                            LoadTerms terms = policy.loadTerms();
                            if (terms != null) view.loadTerms(policy.model(), terms);
                            sessions.apply(policy);
                            prefixModes.apply(policy);
                            rates.apply(policy, nanos);
                            policies.apply(policy);
                        },
                        replica -> {
                            // Where engines tell of their caches they tell of this too.
                            if (prefixModes.of(replica.models().getFirst()) != PrefixMode.EVENTS) {
                                prefixes.forgetReplica(replica.number());
                            }
                        }),
                copy,
                new ViewFeed.Publishers(
                        inflight,
                        new EvidencePublisher(view, outcomes, NANO_CLOCK),
                        new DemandPublisher(bus, demand, self, NANO_CLOCK)),
                readiness.condition("roster", "reading the roster"),
                NANO_CLOCK);
        Context writer = vertx.getOrCreateContext();
        Promise<Void> routable = Promise.promise();
        writer.runOnContext(v -> feed.start(vertx, bus, new SplittableRandom()).onComplete(routable));
        new PrefixReader(prefixes, self.nonce(), prefixCounters, NANO_CLOCK).start(vertx, bus);

        authenticator.watch(vertx);
        Tracing tracing = Tracing.open(tracingConfig, "penstock-router", self.memberId(), context.meters());
        BodyMemory memory = new BodyMemory(config.bodyMemory());
        List<IngressVerticle> listeners = new CopyOnWriteArrayList<>();
        RouterGauges.register(context.meters(), view, memory, listeners, NANO_CLOCK);
        Jobs jobs = new Jobs(vertx, redis, jobKey, new JobCounters(context.meters()), NANO_CLOCK);
        IngressParts parts = new IngressParts(
                config,
                view,
                readiness,
                memory,
                new RequestIds(name, System::currentTimeMillis),
                names,
                rates,
                strategies,
                arrivals,
                demand,
                new OutcomeCounters(context.meters()),
                new RelayCounters(context.meters(), Exchange.failures()),
                policies,
                new DecisionCounters(context.meters()),
                sessions,
                book,
                prefixModes,
                prefixes,
                prefixCounters,
                jobs,
                authenticator,
                new Traces(tracing, () -> ThreadLocalRandom.current().nextDouble()),
                NANO_CLOCK);
        Consumer<OutcomeRecorder> publish = recorder -> {
            var drained = recorder.drain();
            if (!drained.isEmpty()) writer.runOnContext(x -> outcomes.publish(drained));
        };
        Consumer<PrefixNews.Batch> publishNews = batch -> writer.runOnContext(x -> prefixNews.publish(batch));
        DeploymentOptions perLoop = new DeploymentOptions()
                .setInstances(Math.max(1, Runtime.getRuntime().availableProcessors()));
        Condition listening = readiness.condition("traffic", "opening the traffic port");
        PeerDecisions peers = new PeerDecisions(vertx, name, security.managementToken() != null);
        Future<?> warm = config.warmUp() ? WarmUp.run(vertx, readiness) : Future.succeededFuture();
        return warm.compose(v -> ManagementServer.start(
                        vertx,
                        config.host(),
                        config.managementPort(),
                        readiness,
                        context.meters(),
                        context.config().effective(),
                        Map.of("view", new ViewPage(view, name, NANO_CLOCK)::render),
                        Map.of("decisions", new DecisionPage(name, view, listeners, addresses, peers, NANO_CLOCK)),
                        security.managementToken()))
                .onSuccess(management -> managementUrl(vertx, config, management)
                        .onSuccess(url -> writer.runOnContext(v -> inflight.managedAt(url))))
                .compose(management -> Future.join(routable.future(), jobs.start())
                        .compose(v -> vertx.deployVerticle(
                                () -> new IngressVerticle(parts, publish, publishNews, listeners::add), perLoop))
                        .onSuccess(deployed -> listening.ok())
                        .recover(failure ->
                                management.close().transform(x -> Future.failedFuture(named(failure, config))))
                        .map(deployed -> new RunningRouter(
                                vertx,
                                name,
                                readiness,
                                management,
                                listeners,
                                bus,
                                members,
                                store,
                                jobs,
                                tracing,
                                config.grace())));
    }

    /** What other routers are told; without it they cannot ask this one, and everything else goes on. */
    private static Future<ManagementUrl> managementUrl(Vertx vertx, RouterConfig config, ManagementServer management) {
        ManagementUrl configured = config.managementUrl();
        if (configured != null) return Future.succeededFuture(configured);
        return vertx.executeBlocking(() -> ManagementUrl.ofListener(management.host(), management.port()), false)
                .onFailure(failure -> LOG.atWarn()
                        .addKeyValue(LogKeys.ERROR, failure.toString())
                        .log("other routers are not told where this one is managed: set router.managementUrl"));
    }

    private static Throwable named(Throwable failure, RouterConfig config) {
        return failure instanceof BindException ? new PortTakenException(config.port(), "router.port") : failure;
    }
}
