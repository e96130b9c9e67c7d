package dev.penstock.advisor;

import dev.penstock.advisor.advice.Adviser;
import dev.penstock.advisor.advice.PoolReplicas;
import dev.penstock.advisor.advice.Recommendations;
import dev.penstock.advisor.advice.TargetBoard;
import dev.penstock.advisor.config.AdvisorConfig;
import dev.penstock.advisor.config.ScalingRules;
import dev.penstock.advisor.keda.ScalerServer;
import dev.penstock.advisor.page.PoolsPage;
import dev.penstock.advisor.rest.AdviceApi;
import dev.penstock.core.scale.AdviceTimes;
import dev.penstock.core.scale.DemandBook;
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
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** The advisor's parts list: what it is made of and who knows whom. */
public final class AdvisorWiring {
    private static final LongSupplier NANO_CLOCK = System::nanoTime;
    private static final Duration BEAT = Duration.ofSeconds(1);

    private AdvisorWiring() {}

    public static Future<RunningService> start(ServiceContext context) {
        return start(context, AdviceTimes.DEFAULT);
    }

    static Future<RunningService> start(ServiceContext context, AdviceTimes times) {
        AdvisorConfig config = AdvisorConfig.read(context.config());
        List<ModelConfig> models = ModelConfig.readAll(context.config());
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
        Condition kafkaReady = readiness.condition("kafka", "Kafka has not answered yet");
        Condition rosterReady = readiness.condition("roster", "reading the roster topic");
        Condition targetsReady = readiness.condition("pools", "reading the pools topic");
        KafkaBus bus = KafkaBus.create(vertx, kafka, self, context.meters());
        Membership members = Membership.start(vertx, redis, "advisor", self, BEAT);
        Membership routers = Membership.observe(vertx, redis, "router", BEAT);

        AdvisorMetrics metrics = new AdvisorMetrics(context.meters());
        ScalingRules rules = new ScalingRules(models);
        PoolReplicas replicas = new PoolReplicas();
        DemandBook demand = new DemandBook(times, NANO_CLOCK.getAsLong());
        TargetBoard board = new TargetBoard();
        Adviser adviser =
                new Adviser(bus, self, demand, replicas, rules, board, () -> lives(routers.live()), times, NANO_CLOCK);
        Recommendations recommendations = new Recommendations(board, replicas, adviser::pools, times, NANO_CLOCK);
        PoolsPage page = new PoolsPage(recommendations, board, adviser, NANO_CLOCK);
        AdviceVerticle verticle = new AdviceVerticle(
                bus,
                self,
                members,
                config,
                new AdviceVerticle.Parts(
                        demand,
                        replicas,
                        rules,
                        board,
                        adviser,
                        recommendations,
                        new AdviceApi(recommendations, metrics::restAnswer),
                        new ScalerServer(vertx, recommendations, metrics::kedaAnswer, NANO_CLOCK),
                        page,
                        metrics,
                        kafkaReady,
                        rosterReady,
                        targetsReady),
                NANO_CLOCK);

        return ManagementServer.start(
                        vertx,
                        config.host(),
                        config.managementPort(),
                        readiness,
                        context.meters(),
                        context.config().effective(),
                        Map.of("pools", page::page),
                        security.managementToken())
                .compose(management -> vertx.deployVerticle(verticle)
                        .<RunningService>map(deployment -> new RunningAdvisor(
                                vertx, self.name(), deployment, verticle, readiness, management, bus, members, routers))
                        .recover(failure -> management.close().transform(closed -> Future.failedFuture(failure))))
                .recover(failure -> Future.join(members.close(), routers.close(), bus.close())
                        .transform(closed -> Future.failedFuture(failure)));
    }

    /** A member id is a name and the nonce of one life. */
    private static Set<DemandBook.RouterLife> lives(List<String> memberIds) {
        Set<DemandBook.RouterLife> lives = new HashSet<>();
        for (String id : memberIds) {
            int slash = id.lastIndexOf('/');
            if (slash < 0) continue;
            try {
                long nonce = HexFormat.fromHexDigitsToLong(id, slash + 1, id.length());
                lives.add(new DemandBook.RouterLife(id.substring(0, slash), nonce));
            } catch (IllegalArgumentException e) {
                // no member id of this version: it tells no demand either
                continue;
            }
        }
        return lives;
    }
}
