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
import dev.penstock.core.scale.DemandBook;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.claims.ClaimHolder;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.model.DemandRecord;
import dev.penstock.model.Header;
import dev.penstock.model.Roles;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.wire.DemandCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RosterCodec;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one context of the advisor: everything it knows is written here, and every call answered. */
final class AdviceVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(AdviceVerticle.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    private final KafkaBus bus;
    private final Incarnation self;
    private final Membership members;
    private final AdvisorConfig config;
    private final Parts parts;
    private final LongSupplier nanoClock;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<PeriodicTask> tasks = new ArrayList<>();
    private @Nullable ClaimHolder claim;
    private boolean rosterRead;
    private volatile @Nullable HttpServer rest;
    private volatile @Nullable HttpServer grpc;

    record Parts(
            DemandBook demand,
            PoolReplicas replicas,
            ScalingRules rules,
            TargetBoard board,
            Adviser adviser,
            Recommendations recommendations,
            AdviceApi api,
            ScalerServer scaler,
            PoolsPage page,
            AdvisorMetrics metrics,
            Condition kafka,
            Condition roster,
            Condition targets) {}

    AdviceVerticle(
            KafkaBus bus,
            Incarnation self,
            Membership members,
            AdvisorConfig config,
            Parts parts,
            LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.members = members;
        this.config = config;
        this.parts = parts;
        this.nanoClock = nanoClock;
    }

    int restPort() {
        HttpServer server = rest;
        return server == null ? -1 : server.actualPort();
    }

    int grpcPort() {
        HttpServer server = grpc;
        return server == null ? -1 : server.actualPort();
    }

    @Override
    public Future<?> start() {
        return parts.api()
                .listen(vertx, config.host(), config.restPort())
                .onSuccess(server -> rest = server)
                .compose(listening -> parts.scaler().listen(config.host(), config.grpcPort()))
                .onSuccess(server -> {
                    grpc = server;
                    begin();
                })
                .recover(failure -> close().transform(closed -> Future.failedFuture(failure)));
    }

    @Override
    public Future<?> stop() {
        return close();
    }

    private void begin() {
        subscriptions.add(bus.subscribe(List.of(Topics.ROSTER), this::roster, () -> {
            rosterRead = true;
            parts.roster().ok();
        }));
        subscriptions.add(bus.subscribe(List.of(Topics.POOLS), this::target, () -> {
            parts.board().caughtUp();
            parts.targets().ok();
        }));
        subscriptions.add(bus.subscribe(List.of(Topics.DEMAND), this::demand, () -> {}));
        claim = ClaimHolder.start(vertx, bus, members, self, Roles.ADVICE, new ClaimHolder.Listener() {
            @Override
            public void gained(long epoch) {
                tick();
            }

            @Override
            public void lost() {}
        });
        tasks.add(PeriodicTask.start(vertx, "advice", TICK, 0, this::tick));
    }

    /** Order: the role is given up while Kafka can be told, and streams end before their connections do. */
    private Future<?> close() {
        tasks.forEach(PeriodicTask::close);
        parts.scaler().endStreams();
        Future<?> released = claim == null ? Future.succeededFuture() : claim.close();
        return released.transform(told -> Future.join(
                        subscriptions.stream().map(Subscription::close).toList()))
                .transform(closed -> Future.join(close(rest), close(grpc)))
                .transform(closed -> {
                    parts.metrics().close();
                    return Future.succeededFuture();
                });
    }

    private static Future<?> close(@Nullable HttpServer server) {
        return server == null ? Future.succeededFuture() : server.close();
    }

    private void tick() {
        // Once reached, Kafka's absence makes answers old, not this service unready.
        if (bus.connected()) parts.kafka().ok();
        ClaimHolder role = claim;
        long epoch = role == null ? Header.NO_EPOCH : role.epoch();
        // what was published is taken over, and replicas are counted, before anything is said
        if (rosterRead && parts.board().isCaughtUp()) parts.adviser().tick(epoch);
        parts.scaler().tick();
        parts.page().refresh(epoch);
        long youngest = parts.board().youngestAgeNanos(nanoClock.getAsLong());
        parts.metrics()
                .refresh(
                        parts.recommendations(),
                        epoch != Header.NO_EPOCH,
                        youngest,
                        parts.scaler().openStreams());
    }

    private void roster(TopicSpec topic, String key, byte @Nullable [] value, long receiveNanos) {
        try {
            RosterRecord record = value == null ? null : RosterCodec.decode(value);
            parts.replicas().record(key, record);
            if (record == null) return;
            parts.rules()
                    .learn(record.replica().pool(), record.replica().models().getFirst());
        } catch (MalformedRecordException e) {
            skipped(topic, key, e);
        }
    }

    private void target(TopicSpec topic, String key, byte @Nullable [] value, long receiveNanos) {
        try {
            if (parts.board().record(key, value, receiveNanos)) return;
            parts.metrics().dropped(topic.name(), "old");
        } catch (MalformedRecordException e) {
            skipped(topic, key, e);
        }
    }

    private void demand(TopicSpec topic, String key, byte @Nullable [] value, long receiveNanos) {
        if (value == null) return;
        try {
            DemandRecord record = DemandCodec.decode(value);
            if (!parts.demand().record(record, receiveNanos)) {
                parts.metrics().dropped(topic.name(), "old");
                return;
            }
            record.models().forEach(model -> parts.rules().learn(model.pool(), model.model()));
        } catch (MalformedRecordException e) {
            skipped(topic, key, e);
        }
    }

    private void skipped(TopicSpec topic, String key, MalformedRecordException wrong) {
        parts.metrics().dropped(topic.name(), "malformed");
        LOG.atWarn()
                .addKeyValue(LogKeys.TOPIC, topic.name())
                .addKeyValue("key", key)
                .addKeyValue(LogKeys.ERROR, wrong.getMessage())
                .log("record skipped");
    }
}
