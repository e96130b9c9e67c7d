package dev.penstock.core.view;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.Freshness;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The holder of what a router knows: the current roster image and, through it, every replica's cell. One writer applies
 * records; any thread reads {@link #current} once per request.
 */
public final class FleetView {
    private static final int MANY_STREAMS = 64 * Shards.COUNT;
    private static final long FORGOTTEN_NANOS = 60_000_000_000L;

    private static final long HEALTH_SILENT_NANOS = 5_000_000_000L;

    private final String routerName;
    private final PeerCounts peers;
    private final EpochGate rosterEpochs = new EpochGate();
    private final EpochGate healthEpochs = new EpochGate();
    private final Map<String, FrameGate> telemetryGates = new HashMap<>();
    private volatile RosterImage image = RosterImage.EMPTY;
    private volatile long lastFrameNanos;
    private volatile boolean framed;
    private volatile boolean healthHeard;
    private volatile long healthNanos;

    /**
     * @param routerName half-open permits are given to routers by name
     * @param ownIncarnation this router's: its own vectors come back over the topic and are not a peer's
     */
    public FleetView(String routerName, long ownIncarnation) {
        this.routerName = routerName;
        this.peers = new PeerCounts(ownIncarnation);
    }

    public RosterImage current() {
        return image;
    }

    /** Age of the youngest telemetry frame, or -1 before the first. */
    public long ageNanos(long nowNanos) {
        return framed ? nowNanos - lastFrameNanos : -1;
    }

    /** Models of the configuration: known, whether anybody serves them or not. */
    public void know(Collection<String> models) {
        image = new FleetDelta(image).know(models).apply();
    }

    /** A record of the roster topic; one of a displaced owner is dropped. */
    public void apply(RosterRecord roster, long receiveNanos) {
        if (rosterEpochs.admit(roster.header().epoch(), receiveNanos)) apply(roster);
    }

    /** A verdict; one of a displaced owner, or on another incarnation of the replica, is dropped. */
    public void apply(HealthRecord record, long receiveNanos) {
        if (!healthEpochs.admit(record.header().epoch(), receiveNanos)) return;
        healthHeard = true;
        healthNanos = receiveNanos;
        ReplicaEntry entry = image.byNumber(record.number());
        if (entry == null || !entry.replica().uid().equals(record.uid())) return;
        entry.cell().health(HeldVerdict.of(record, routerName, receiveNanos));
    }

    /** True when nothing was heard of health-svc for 5 s: quarantine then ends without its probes. */
    public boolean healthSilent(long nowNanos) {
        return !healthHeard || nowNanos - healthNanos > HEALTH_SILENT_NANOS;
    }

    /** A replica told by a roster copy. */
    public void apply(RosterRecord roster) {
        image = new FleetDelta(image).add(roster).apply();
    }

    public void apply(InflightVector vector, long receiveNanos) {
        peers.apply(vector, receiveNanos);
        peers.writeTo(image, receiveNanos);
    }

    /** Folds failure rates into the pools' base rates; to be called once a second. */
    public void foldFailureRates() {
        BaseRates.fold(image);
    }

    /** Lets silent peers fade; to be called a few times a second. */
    public void fadePeers(long nowNanos) {
        peers.writeTo(image, nowNanos);
        int alive = peers.alive(nowNanos);
        for (ReplicaEntry entry : image.entries()) entry.cell().extrapolateFromHere(alive);
    }

    public void apply(TelemetryFrame frame, long receiveNanos) {
        String stream = frame.header().producer() + "/" + frame.shard();
        FrameGate gate = gate(stream, receiveNanos);
        FrameGate.Admission admission = gate.admit(frame.header(), frame.full(), receiveNanos);
        if (admission == FrameGate.Admission.DROPPED) return;
        lastFrameNanos = receiveNanos - gate.excessNanos();
        framed = true;
        RosterImage now = image;
        if (admission == FrameGate.Admission.AFTER_GAP) holdWhatItTold(now, frame);
        boolean first = admission == FrameGate.Admission.FIRST;
        for (Sample sample : frame.samples()) {
            ReplicaEntry entry = now.byNumber(sample.number());
            if (entry != null)
                applySample(
                        entry.cell(),
                        sample,
                        frame.header().incarnation(),
                        receiveNanos - gate.excessNanos(),
                        receiveNanos,
                        first);
        }
        if (admission == FrameGate.Admission.IN_ORDER) renewUnchanged(now, frame, receiveNanos - gate.excessNanos());
    }

    /** Collectors come and go under new names: those not heard of for a minute are forgotten when there are many. */
    private FrameGate gate(String stream, long nowNanos) {
        FrameGate gate = telemetryGates.get(stream);
        if (gate != null) return gate;
        if (telemetryGates.size() >= MANY_STREAMS) {
            telemetryGates.values().removeIf(each -> nowNanos - each.lastReceiveNanos() > FORGOTTEN_NANOS);
        }
        gate = new FrameGate();
        telemetryGates.put(stream, gate);
        return gate;
    }

    /** What another collector told of the shard is none of its loss. */
    private static void holdWhatItTold(RosterImage image, TelemetryFrame frame) {
        for (ReplicaEntry entry : image.entries()) {
            ReplicaCell cell = entry.cell();
            if (entry.replica().shard() != frame.shard()) continue;
            if (cell.toldBy() == frame.header().incarnation())
                cell.telemetry(cell.telemetry().asHeld());
        }
    }

    private static void applySample(
            ReplicaCell cell, Sample sample, long incarnation, long sentAtNanos, long nowNanos, boolean atBestStale) {
        ReplicaCell.Telemetry before = cell.telemetry();
        long sampledAt = sentAtNanos - sample.ageMicros() * 1000;
        // Collectors may overlap: the youngest sample wins. Of one collector that is its later one, although the
        // times of its first records are too late by what was not yet known of their way.
        boolean younger = cell.toldBy() == incarnation || before.sampledAtNanos() - sampledAt <= 0;
        if (before.seen() && !younger && !before.held()) return;
        long interval = sample.intervalMillis() * 1_000_000L;
        cell.toldBy(incarnation);
        cell.heartbeat(sample.heartbeat(), sampledAt);
        boolean fresh = !atBestStale && Freshness.of(nowNanos - sampledAt, interval) == Freshness.FRESH;
        cell.telemetry(new ReplicaCell.Telemetry(
                sample.running(),
                sample.waiting(),
                sample.kvUsedPpm(),
                sampledAt,
                interval,
                true,
                atBestStale,
                before.everFresh() || fresh,
                sample.sleeping()));
    }

    private static void renewUnchanged(RosterImage image, TelemetryFrame frame, long sentAtNanos) {
        long sampledAt = sentAtNanos - frame.unchangedAgeMicros() * 1000;
        for (int position = frame.sampledUnchanged().nextSetBit(0);
                position >= 0;
                position = frame.sampledUnchanged().nextSetBit(position + 1)) {
            ReplicaEntry entry = image.byNumber(Shards.number(frame.shard(), position));
            if (entry == null) continue;
            ReplicaCell.Telemetry t = entry.cell().telemetry();
            // Nothing to be renewed: its last sample was missed, or another collector told a younger one.
            if (!t.seen() || entry.cell().toldBy() != frame.header().incarnation()) continue;
            entry.cell()
                    .telemetry(new ReplicaCell.Telemetry(
                            t.running(),
                            t.waiting(),
                            t.kvUsedPpm(),
                            sampledAt,
                            t.intervalNanos(),
                            true,
                            false,
                            true,
                            t.sleeping()));
        }
    }
}
