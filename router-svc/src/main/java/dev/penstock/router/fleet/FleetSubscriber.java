package dev.penstock.router.fleet;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.wire.HealthCodec;
import dev.penstock.wire.InflightCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.PolicyCodec;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the records of the state plane to the view. Its context is the view's one writer. */
public final class FleetSubscriber {
    private static final Logger LOG = LoggerFactory.getLogger(FleetSubscriber.class);

    private final FleetView view;
    private final RosterCopy copy;
    private final PeerAddresses addresses;
    private final PolicyListener policies;
    private final Consumer<Replica> cacheLost;
    private final EpochGate policyEpochs = new EpochGate();
    private boolean malformedSeen;

    /** Takes policies, one at a time. */
    public interface PolicyListener {
        void policy(PolicyRecord policy, long receiveNanos);
    }

    /** @param cacheLost told of a replica that is gone, or whose engine is another process now */
    public FleetSubscriber(
            FleetView view,
            RosterCopy copy,
            PeerAddresses addresses,
            PolicyListener policies,
            Consumer<Replica> cacheLost) {
        this.view = view;
        this.copy = copy;
        this.addresses = addresses;
        this.policies = policies;
        this.cacheLost = cacheLost;
    }

    public Subscription subscribe(KafkaBus bus) {
        return bus.subscribe(
                List.of(Topics.ROSTER, Topics.HEALTH, Topics.POLICY, Topics.TELEMETRY, Topics.INFLIGHT),
                this::record,
                copy::caughtUp);
    }

    void apply(RosterRecord roster, long receiveNanos) {
        int number = roster.replica().number();
        ReplicaEntry before = view.current().byNumber(number);
        copy.confirmed(number);
        view.apply(roster, receiveNanos);
        ReplicaEntry now = view.current().byNumber(number);
        if (before == null) return;
        boolean same =
                now != null && now.replica().uid().equals(before.replica().uid());
        if (!same) cacheLost.accept(before.replica());
    }

    private void apply(PolicyRecord policy, long receiveNanos) {
        if (!policyEpochs.admit(policy.header().epoch(), receiveNanos)) return;
        if (!policy.gone()) view.know(List.of(policy.model()));
        policies.policy(policy, receiveNanos);
    }

    private void apply(InflightVector inflight, long receiveNanos) {
        view.apply(inflight, receiveNanos);
        addresses.heard(inflight, receiveNanos);
    }

    private void record(TopicSpec topic, String key, byte @Nullable [] value, long receiveNanos) {
        if (value == null) return;
        try {
            if (topic.equals(Topics.ROSTER)) apply(RosterCodec.decode(value), receiveNanos);
            else if (topic.equals(Topics.HEALTH)) view.apply(HealthCodec.decode(value), receiveNanos);
            else if (topic.equals(Topics.POLICY)) apply(PolicyCodec.decode(value), receiveNanos);
            else if (topic.equals(Topics.TELEMETRY)) view.apply(TelemetryCodec.decode(value), receiveNanos);
            else apply(InflightCodec.decode(value), receiveNanos);
        } catch (MalformedRecordException e) {
            if (malformedSeen) return;
            malformedSeen = true;
            LOG.atWarn()
                    .addKeyValue(LogKeys.TOPIC, topic.name())
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("malformed record passed over; further ones are not logged");
        }
    }
}
