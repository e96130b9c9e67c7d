package dev.penstock.admission;

import dev.penstock.admission.config.AdmissionConfig;
import dev.penstock.admission.config.WatchedModels;
import dev.penstock.admission.fleet.RoutableReplicas;
import dev.penstock.admission.ledger.LedgerAddress;
import dev.penstock.admission.ledger.LedgerMetrics;
import dev.penstock.admission.ledger.Ledgers;
import dev.penstock.admission.page.SharesPage;
import dev.penstock.admission.policy.PolicyBook;
import dev.penstock.admission.policy.PolicyPublisher;
import dev.penstock.admission.rest.PolicyApi;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.ModelConfig;
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
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** The admission service's parts list: what it is made of and who knows whom. */
public final class AdmissionWiring {
    private static final LongSupplier NANO_CLOCK = System::nanoTime;
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final String LOOPBACK = "127.0.0.1";

    private AdmissionWiring() {}

    public static Future<RunningService> start(ServiceContext context) {
        AdmissionConfig config = AdmissionConfig.read(context.config());
        KafkaConfig kafka = KafkaConfig.read(context.config());
        RedisConfig redis = RedisConfig.read(context.config());
        SecurityConfig security = SecurityConfig.read(context.config());
        List<ModelConfig> initial = ModelConfig.readAll(context.config());
        try {
            context.config().finish();
        } catch (ConfigException e) {
            return Future.failedFuture(e);
        }
        Vertx vertx = context.vertx();
        Incarnation self = context.incarnation();
        Readiness readiness = new Readiness();
        AdmissionVerticle.Conditions conditions = new AdmissionVerticle.Conditions(
                readiness.condition("kafka", "Kafka has not answered yet"),
                readiness.condition("policies", "reading the policy topic"),
                readiness.condition("configuration", "not looked at yet"));
        KafkaBus bus = KafkaBus.create(vertx, kafka, self, context.meters());
        Membership admission = Membership.start(vertx, redis, "admission", self, BEAT);
        Membership routers = Membership.observe(vertx, redis, "router", BEAT);

        AdmissionMetrics metrics = new AdmissionMetrics(context.meters());
        WatchedModels models = new WatchedModels(vertx, context.config(), initial, metrics::reloaded);
        RoutableReplicas replicas = new RoutableReplicas();
        PolicyBook book = new PolicyBook();
        PolicyPublisher publisher = new PolicyPublisher(
                bus, self, book, model -> replicas.count(model, NANO_CLOCK.getAsLong()), metrics, NANO_CLOCK);
        SharesPage page = new SharesPage(models, book, publisher, NANO_CLOCK);
        PolicyApi api = new PolicyApi(book, publisher::owns, NANO_CLOCK, security.managementToken());
        String bound = security.managementToken() == null ? LOOPBACK : config.host();
        Ledgers ledgers = new Ledgers(
                vertx,
                bus,
                self,
                admission,
                LedgerAddress.of(bound, config.ledgerPort(), config.ledgerHost()),
                new LedgerMetrics(context.meters()),
                NANO_CLOCK,
                new SplittableRandom());
        metrics.watch(publisher::owns, book, () -> models.problem() != null);
        AdmissionVerticle verticle = new AdmissionVerticle(
                bus,
                self,
                new AdmissionVerticle.Members(admission, routers),
                new AdmissionVerticle.Parts(models, replicas, book, publisher, page, ledgers, metrics),
                conditions,
                NANO_CLOCK);

        return ManagementServer.start(
                        vertx,
                        config.host(),
                        config.managementPort(),
                        readiness,
                        context.meters(),
                        context.config().effective(),
                        Map.of("shares", page::page, "ledger", ledgers::page),
                        security.managementToken())
                .compose(management -> api.listen(vertx, config.host(), config.restPort())
                        .compose(listening -> vertx.deployVerticle(verticle))
                        .<RunningService>map(deployment -> new RunningAdmission(
                                vertx,
                                self.name(),
                                deployment,
                                readiness,
                                management,
                                api,
                                ledgers,
                                bus,
                                admission,
                                routers))
                        .recover(failure -> Future.join(management.close(), api.close())
                                .transform(closed -> Future.failedFuture(failure))))
                .recover(failure -> Future.join(admission.close(), routers.close(), bus.close())
                        .transform(closed -> Future.failedFuture(failure)));
    }
}
