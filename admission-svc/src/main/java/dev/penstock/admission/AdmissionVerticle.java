package dev.penstock.admission;

import dev.penstock.admission.config.WatchedModels;
import dev.penstock.admission.fleet.RoutableReplicas;
import dev.penstock.admission.fleet.RouterNames;
import dev.penstock.admission.ledger.Ledgers;
import dev.penstock.admission.page.SharesPage;
import dev.penstock.admission.policy.ModelPolicy;
import dev.penstock.admission.policy.PolicyBook;
import dev.penstock.admission.policy.PolicyPublisher;
import dev.penstock.core.ledger.Distribution;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.claims.ClaimHolder;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.model.Roles;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.wire.HealthCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one context of the admission service: everything it knows is written here. */
final class AdmissionVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionVerticle.class);
    private static final Duration POLICY_TICK = Duration.ofMillis(100);
    private static final Duration PAGE_TICK = Duration.ofMillis(250);
    private static final Duration FILE_TICK = Duration.ofSeconds(1);
    private static final Duration LEDGER_TICK = Duration.ofNanos(Distribution.PERIOD_NANOS);
    private static final Duration FRAMES_TICK = Duration.ofMillis(250);
    private static final Duration LEDGER_PAGE_TICK = Duration.ofSeconds(1);

    private final KafkaBus bus;
    private final Incarnation self;
    private final Members members;
    private final Parts parts;
    private final Conditions conditions;
    private final LongSupplier nanoClock;
    private final List<PeriodicTask> tasks = new ArrayList<>();
    private @Nullable Subscription subscription;
    private @Nullable Subscription telemetry;
    private @Nullable ClaimHolder claim;
    private boolean caughtUp;
    private boolean routersKnown;
    private boolean skipping;

    /** Who else does this service's work, and whom it is done for. */
    record Members(Membership admission, Membership routers) {}

    record Conditions(Condition kafka, Condition policies, Condition configuration) {}

    record Parts(
            WatchedModels models,
            RoutableReplicas replicas,
            PolicyBook book,
            PolicyPublisher publisher,
            SharesPage page,
            Ledgers ledgers,
            AdmissionMetrics metrics) {}

    AdmissionVerticle(
            KafkaBus bus,
            Incarnation self,
            Members members,
            Parts parts,
            Conditions conditions,
            LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.members = members;
        this.parts = parts;
        this.conditions = conditions;
        this.nanoClock = nanoClock;
    }

    /** The ledger's port first: when it is taken nothing was claimed and nothing has to be given up. */
    @Override
    public Future<?> start() {
        return parts.ledgers().start().map(listening -> {
            follow();
            return listening;
        });
    }

    private void follow() {
        subscription = bus.subscribe(
                List.of(Topics.POLICY, Topics.ROSTER, Topics.HEALTH),
                (topic, key, value, nanos) -> record(topic, key, value, nanos),
                this::caughtUp);
        claim = ClaimHolder.start(vertx, bus, members.admission(), self, Roles.POLICY, new ClaimHolder.Listener() {
            @Override
            public void gained(long epoch) {
                begin(epoch);
            }

            @Override
            public void lost() {
                parts.publisher().lost();
            }
        });
        tasks.add(PeriodicTask.start(vertx, "policies", POLICY_TICK, 0, this::tick));
        tasks.add(PeriodicTask.start(vertx, "configuration file", FILE_TICK, 0, parts.models()::refresh));
        tasks.add(PeriodicTask.start(vertx, "page", PAGE_TICK, 0, this::look));
        telemetry = bus.subscribe(
                List.of(Topics.TELEMETRY), (topic, key, value, nanos) -> telemetry(value, nanos), () -> {});
        tasks.add(PeriodicTask.start(vertx, "slots", LEDGER_TICK, 0, this::moveSlots));
        tasks.add(PeriodicTask.start(vertx, "frames", FRAMES_TICK, 0, this::readFrames));
        tasks.add(PeriodicTask.start(
                vertx, "ledger page", LEDGER_PAGE_TICK, 0, () -> parts.ledgers().look()));
    }

    @Override
    public Future<?> stop() {
        tasks.forEach(PeriodicTask::close);
        Future<?> released = claim == null ? Future.succeededFuture() : claim.close();
        return Future.join(released, parts.ledgers().close(), closed(subscription), closed(telemetry));
    }

    private static Future<?> closed(@Nullable Subscription each) {
        return each == null ? Future.succeededFuture() : each.close();
    }

    /** Looks at the file first: models older than those of the last owner would undo what it told. */
    private void begin(long epoch) {
        parts.models().refresh().onComplete(looked -> {
            if (claim == null || claim.epoch() != epoch) return;
            parts.publisher().gained(epoch);
            tick();
        });
    }

    private void caughtUp() {
        caughtUp = true;
        parts.publisher().caughtUp();
    }

    private void record(TopicSpec topic, String key, byte @Nullable [] value, long receiveNanos) {
        if (topic.equals(Topics.POLICY)) {
            parts.publisher().record(key, value);
            return;
        }
        try {
            if (topic.equals(Topics.ROSTER)) roster(key, value, receiveNanos);
            else if (value != null) parts.replicas().health(HealthCodec.decode(value), receiveNanos);
            skipping = false;
        } catch (MalformedRecordException e) {
            if (!skipping) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.TOPIC, topic.name())
                        .addKeyValue(LogKeys.ERROR, e.getMessage())
                        .log("records skipped");
            }
            skipping = true;
        }
    }

    private void roster(String name, byte @Nullable [] value, long receiveNanos) throws MalformedRecordException {
        if (value == null) {
            parts.replicas().forgotten(name);
            parts.ledgers().forgotten(name);
            return;
        }
        RosterRecord record = RosterCodec.decode(value);
        parts.replicas().roster(record, receiveNanos);
        parts.ledgers().roster(record, receiveNanos);
    }

    private void telemetry(byte @Nullable [] value, long receiveNanos) {
        if (value == null || !parts.ledgers().watchesScrapes()) return;
        try {
            parts.ledgers().telemetry(TelemetryCodec.decode(value), receiveNanos);
        } catch (MalformedRecordException e) {
            LOG.trace("frame skipped", e);
        }
    }

    private void moveSlots() {
        parts.ledgers().tick(parts.models().models(), this::readLimits);
    }

    private Future<List<ModelConfig>> readLimits() {
        Subscription facts = subscription;
        if (facts == null) return Future.failedFuture("stopped");
        return parts.models().refresh().compose(looked -> facts.readToEnd()).map(read -> parts.models()
                .models());
    }

    /** How late frames are read matters while an engine is watched by them. */
    private Future<?> readFrames() {
        Subscription frames = telemetry;
        if (frames == null || !parts.ledgers().watchesScrapes()) return Future.succeededFuture();
        long called = nanoClock.getAsLong();
        return frames.readToEnd()
                .onSuccess(read -> parts.ledgers().telemetryReadToEndAsOf(called))
                .otherwiseEmpty();
    }

    /** Until Redis has answered once nobody knows who the routers are: rates stay as they were read. */
    private void tick() {
        routersKnown |= members.routers().connected();
        if (!routersKnown) return;
        List<ModelPolicy> wanted =
                parts.models().models().stream().map(ModelPolicy::of).toList();
        parts.publisher().tick(wanted, liveRouters());
    }

    private SortedSet<String> liveRouters() {
        return RouterNames.of(members.routers().live());
    }

    /** Once reached, Kafka's absence makes policies late, not this service unready; a gauge tells of it. */
    private void look() {
        if (bus.connected()) conditions.kafka().ok();
        if (caughtUp && published()) conditions.policies().ok();
        else if (caughtUp) conditions.policies().notYet("not every model of the configuration has its policy yet");
        String problem = parts.models().problem();
        if (problem == null) conditions.configuration().ok();
        else conditions.configuration().notYet(problem + "; the last good models stay");
        parts.page().refresh(liveRouters(), members.routers().connected());
        parts.metrics().models(parts.book(), parts.publisher()::held);
    }

    private boolean published() {
        return parts.models().models().stream().allMatch(model -> {
            PolicyBook.Heard heard = parts.book().view().get(model.name());
            return heard != null && !heard.record().gone();
        });
    }
}
