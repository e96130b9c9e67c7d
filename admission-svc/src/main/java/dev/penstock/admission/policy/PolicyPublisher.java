package dev.penstock.admission.policy;

import dev.penstock.admission.AdmissionMetrics;
import dev.penstock.core.rate.RateShares;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.Header;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.PolicyRecord.RateShare;
import dev.penstock.model.Topics;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.PolicyCodec;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the policies while this instance owns the role: changes at once, everything again each 5 s. What is compared with the
 * configuration is what was read back, so a new owner goes on where the last one was; per model one record is under way at a
 * time. Shares move only by records that were read back. Used on one context; the epoch may be read by any thread.
 */
public final class PolicyPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyPublisher.class);
    private static final long ASSERT_AGAIN_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long AFTER_FAILURE_NANOS = Duration.ofSeconds(1).toNanos();
    /** Routers and other instances need to see that a model is gone before its key is removed. */
    private static final long TOMBSTONE_NANOS = Duration.ofSeconds(60).toNanos();

    private final KafkaBus bus;
    private final Incarnation self;
    private final PolicyBook book;
    private final ToIntFunction<String> routableReplicas;
    private final AdmissionMetrics metrics;
    private final LongSupplier nanoClock;
    private final Map<String, ModelState> modelToState = new HashMap<>();
    private boolean caughtUp;
    private boolean begun;
    private boolean failing;
    private long sequence;
    private volatile long epoch = Header.NO_EPOCH;

    /** What is known of a model besides its last record. */
    private static final class ModelState {
        final RateShares shares = new RateShares();
        /** Sent, and Kafka has not answered. */
        boolean underWay;
        /** Sent, and not read back. */
        boolean unread;

        boolean assertNow = true;
        long sequence;
        long sentNanos;
        boolean failed;
    }

    public PolicyPublisher(
            KafkaBus bus,
            Incarnation self,
            PolicyBook book,
            ToIntFunction<String> routableReplicas,
            AdmissionMetrics metrics,
            LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.book = book;
        this.routableReplicas = routableReplicas;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
    }

    /** A record of the policy topic, whoever sent it. */
    public void record(String model, byte @Nullable [] value) {
        long now = nanoClock.getAsLong();
        if (value == null) {
            book.forgotten(model);
            modelToState.remove(model);
            return;
        }
        try {
            heard(PolicyCodec.decode(value), now);
        } catch (MalformedRecordException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.MODEL, model)
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("policy record skipped");
        }
    }

    private void heard(PolicyRecord record, long now) {
        Header header = record.header();
        boolean own = header.incarnation() == self.nonce() && header.producer().equals(self.name());
        ModelState state = modelToState.computeIfAbsent(record.model(), name -> new ModelState());
        if (own && header.sequence() >= state.sequence) state.unread = false;
        if (!book.heard(record, now)) return;
        if (own) state.shares.heardOwn(map(record.shares()), header.sequence(), now);
        else state.shares.heardOther(map(record.shares()), now);
    }

    public void caughtUp() {
        caughtUp = true;
    }

    /** This instance writes, with this epoch, from the next tick on. */
    public void gained(long nextEpoch) {
        epoch = nextEpoch;
        begun = false;
    }

    public void lost() {
        epoch = Header.NO_EPOCH;
    }

    public boolean owns() {
        return epoch != Header.NO_EPOCH;
    }

    /** Compares what is wanted with what was read back, and tells what is new or due. */
    public void tick(Collection<ModelPolicy> wanted, Collection<String> liveRouters) {
        long now = nanoClock.getAsLong();
        modelToState.values().forEach(state -> state.shares.live(liveRouters, now));
        if (!caughtUp || !owns()) return;
        if (!begun) begin(now);
        // models that change together get the same version
        long newVersion = book.highestVersion() + 1;
        Set<String> names = new HashSet<>();
        for (ModelPolicy policy : wanted) {
            names.add(policy.model());
            keep(policy, liveRouters, newVersion, now);
        }
        book.view().forEach((model, heard) -> {
            if (!names.contains(model)) end(heard, newVersion, now);
        });
    }

    private void begin(long now) {
        begun = true;
        modelToState.values().forEach(state -> {
            state.assertNow = true;
            state.shares.tookOver(now);
        });
    }

    private void keep(ModelPolicy policy, Collection<String> liveRouters, long newVersion, long now) {
        ModelState state = modelToState.get(policy.model());
        if (state == null) {
            state = new ModelState();
            state.shares.live(liveRouters, now);
            modelToState.put(policy.model(), state);
        }
        if (busy(state, now)) return;
        PolicyBook.Heard heard = book.view().get(policy.model());
        PolicyRecord standing = heard == null ? null : heard.record();
        boolean same = standing != null && policy.isIn(standing);
        int routable = routableReplicas.applyAsInt(policy.model());
        Long perReplica = policy.milliRpsPerReplica();
        Map<String, Long> shares = perReplica == null ? Map.of() : state.shares.plan(perReplica * routable, now);
        boolean news = standing == null
                || !same
                || standing.routableReplicas() != routable
                || !map(standing.shares()).equals(shares);
        if (!news && !state.assertNow && now - state.sentNanos < ASSERT_AGAIN_NANOS) return;
        long version = same && standing != null ? standing.version() : newVersion;
        if (!same) announce(policy.model(), version, "policy changed");
        send(
                state,
                new PolicyRecord(
                        header(),
                        policy.model(),
                        policy.aliases(),
                        policy.strategies(),
                        perReplica,
                        routable,
                        list(shares),
                        version,
                        false));
    }

    /** A model that left the configuration: once as gone, later not at all. */
    private void end(PolicyBook.Heard heard, long newVersion, long now) {
        PolicyRecord record = heard.record();
        ModelState state = modelToState.computeIfAbsent(record.model(), name -> new ModelState());
        if (busy(state, now)) return;
        if (!record.gone()) {
            announce(record.model(), newVersion, "policy gone");
            send(
                    state,
                    new PolicyRecord(
                            header(),
                            record.model(),
                            record.aliases(),
                            record.strategies(),
                            null,
                            record.routableReplicas(),
                            List.of(),
                            newVersion,
                            true));
        } else if (now - heard.nanos() >= TOMBSTONE_NANOS) {
            state.unread = true;
            state.sentNanos = now;
            publish(state, record.model(), null);
        }
    }

    /** One at a time; one that was stored and is not read back, as under an epoch that is not the latest, is told again. */
    private static boolean busy(ModelState state, long now) {
        if (state.underWay) return true;
        if (state.failed) return now - state.sentNanos < AFTER_FAILURE_NANOS;
        return state.unread && now - state.sentNanos < ASSERT_AGAIN_NANOS;
    }

    private void send(ModelState state, PolicyRecord record) {
        state.shares.sending(map(record.shares()), record.header().sequence());
        state.sequence = record.header().sequence();
        state.assertNow = false;
        state.unread = true;
        state.sentNanos = nanoClock.getAsLong();
        publish(state, record.model(), PolicyCodec.encode(record));
    }

    private void publish(ModelState state, String model, byte @Nullable [] value) {
        state.underWay = true;
        state.failed = false;
        bus.publish(Topics.POLICY, 0, model, value).onComplete(result -> {
            state.underWay = false;
            metrics.published(result.succeeded());
            if (result.failed()) notStored(state, model, result.cause());
            else failing = false;
        });
    }

    private void notStored(ModelState state, String model, Throwable failure) {
        state.failed = true;
        state.assertNow = true;
        state.sentNanos = nanoClock.getAsLong();
        if (failing) return;
        failing = true;
        LOG.atWarn()
                .addKeyValue(LogKeys.MODEL, model)
                .addKeyValue(LogKeys.ERROR, failure.getMessage())
                .log("policy record not stored, telling it again");
    }

    private Header header() {
        return new Header(self.name(), self.nonce(), ++sequence, epoch, nanoClock.getAsLong());
    }

    /** What routers may go by, of a model, in milli-rps; at least what they were told last. */
    public Map<String, Long> held(String model) {
        ModelState state = modelToState.get(model);
        return state == null ? Map.of() : state.shares.held(nanoClock.getAsLong());
    }

    private static void announce(String model, long version, String what) {
        LOG.atInfo()
                .addKeyValue(LogKeys.MODEL, model)
                .addKeyValue(LogKeys.NEW, version)
                .log(what);
    }

    private static Map<String, Long> map(List<RateShare> shares) {
        Map<String, Long> map = new TreeMap<>();
        for (RateShare share : shares) map.put(share.router(), share.milliRps());
        return map;
    }

    private static List<RateShare> list(Map<String, Long> shares) {
        return new TreeMap<>(shares)
                .entrySet().stream()
                        .map(share -> new RateShare(share.getKey(), share.getValue()))
                        .toList();
    }
}
