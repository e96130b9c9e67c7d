package dev.penstock.health.feed;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.core.health.FleetHealth;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.wire.HealthCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.OutcomesCodec;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts what was read from Kafka into the fleet's evidence. Lives on health-svc's context. */
public final class HealthFeed {
    private static final Logger LOG = LoggerFactory.getLogger(HealthFeed.class);

    /** Roster and verdicts are facts: whoever judges has read both to the end. */
    public static final List<TopicSpec> FACTS = List.of(Topics.ROSTER, Topics.HEALTH);

    public static final List<TopicSpec> STREAMS = List.of(Topics.OUTCOMES, Topics.TELEMETRY);

    private final FleetHealth fleet;
    private final EpochGate rosterEpochs = new EpochGate();
    private final EpochGate verdictEpochs = new EpochGate();
    private boolean caughtUp;

    public HealthFeed(FleetHealth fleet) {
        this.fleet = fleet;
    }

    public boolean caughtUp() {
        return caughtUp;
    }

    public void sayCaughtUp() {
        caughtUp = true;
    }

    public void record(TopicSpec topic, String key, byte @Nullable [] value, long receiveNanos) {
        try {
            if (topic.equals(Topics.ROSTER)) roster(key, value, receiveNanos);
            else if (topic.equals(Topics.HEALTH)) verdict(key, value, receiveNanos);
            else if (value == null) return;
            else if (topic.equals(Topics.OUTCOMES)) fleet.outcomes(OutcomesCodec.decode(value), receiveNanos);
            else fleet.telemetry(TelemetryCodec.decode(value), receiveNanos);
        } catch (MalformedRecordException | NumberFormatException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.TOPIC, topic.name())
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("record skipped");
        }
    }

    private void roster(String name, byte @Nullable [] value, long nanos) throws MalformedRecordException {
        if (value == null) {
            fleet.gone(name);
            return;
        }
        RosterRecord record = RosterCodec.decode(value);
        if (!rosterEpochs.admit(record.header().epoch(), nanos)) return;
        if (record.gone()) fleet.gone(name);
        else fleet.present(record.replica(), nanos);
    }

    private void verdict(String key, byte @Nullable [] value, long nanos) throws MalformedRecordException {
        int number = Integer.parseUnsignedInt(key);
        if (value == null) {
            fleet.told(number, null, nanos);
            return;
        }
        HealthRecord record = HealthCodec.decode(value);
        if (verdictEpochs.admit(record.header().epoch(), nanos)) fleet.told(number, record, nanos);
    }
}
