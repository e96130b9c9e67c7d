package dev.penstock.core.view;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.core.feed.FrameGate;
import dev.penstock.core.ramp.SlowStart;
import dev.penstock.model.Freshness;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.InflightVector;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The holder of what a router knows: the current roster image and, through it, every replica's cell. One writer applies
 * records; any thread reads {@link #current} once per request.
 */
public final class FleetView {
    private static final int MANY_STREAMS = 64 * Shards.COUNT;
    private static final long FORGOTTEN_NANOS = 60_000_000_000L;

    private static final long HEALTH_SILENT_NANOS = 5_000_000_000L;

    private static final int SLICE = 256;

    private final String routerName;
    private final PeerCounts peers;
    private final CoarseClock clock = new CoarseClock();
    private final HotRow.Rows rows = new HotRow.Rows();
    private final Map<String, Long> modelToSlowStartNanos = new HashMap<>();
    private final Map<String, LoadTerms> modelToLoadTerms = new HashMap<>();
    private final EpochGate rosterEpochs = new EpochGate();
    private final EpochGate healthEpochs = new EpochGate();
    private final Map<String, FrameGate> telemetryGates = new HashMap<>();
    private volatile RosterImage image = RosterImage.EMPTY;
    private RosterImage swept = RosterImage.EMPTY;
    private boolean sweeping;
    private int sweptTo;
    private int routers = 1;
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
        image = new FleetDelta(image, clock, rows).know(models).apply();
    }

    /** A record of the roster topic; one of a displaced owner is dropped. */
    public void apply(RosterRecord roster, long receiveNanos) {
        if (!rosterEpochs.admit(roster.header().epoch(), receiveNanos)) return;
        clock.set(receiveNanos);
        image = new FleetDelta(image, clock, rows)
                .add(roster, slowStart(roster, receiveNanos))
                .apply();
    }

    /** A new replica's ramp, or null when it is old enough or nobody knows how old. */
    private @Nullable SlowStart slowStart(RosterRecord roster, long receiveNanos) {
        if (roster.readyAgeMillis() == RosterRecord.AGE_UNKNOWN) return null;
        long readyForNanos = roster.readyAgeMillis() * 1_000_000;
        // A record's age can only be understated, by the time it was on its way: the eldest that is told is right.
        ReplicaEntry present = image.byNumber(roster.replica().number());
        if (present != null && present.replica().uid().equals(roster.replica().uid())) {
            SlowStart known = present.cell().slowStart();
            if (known != null) known.readySince(receiveNanos - readyForNanos);
        }
        long window = slowStartNanos(roster.replica().models().getFirst());
        return readyForNanos < window ? new SlowStart(receiveNanos - readyForNanos, receiveNanos) : null;
    }

    /** How long a new replica of the model's pool takes to be treated as established; 0 = it is at once. */
    public void slowStart(String model, long windowNanos) {
        modelToSlowStartNanos.put(model, windowNanos);
    }

    /** How a pool's replicas are compared; by its first model. */
    public void loadTerms(String model, LoadTerms terms) {
        if (terms.equals(LoadTerms.DEFAULT)) modelToLoadTerms.remove(model);
        else modelToLoadTerms.put(model, terms);
    }

    private long slowStartNanos(String model) {
        return modelToSlowStartNanos.getOrDefault(model, SlowStart.DEFAULT_WINDOW_NANOS);
    }

    /** A verdict; one of a displaced owner, or on another incarnation of the replica, is dropped. */
    public void apply(HealthRecord record, long receiveNanos) {
        if (!healthEpochs.admit(record.header().epoch(), receiveNanos)) return;
        clock.set(receiveNanos);
        healthHeard = true;
        healthNanos = receiveNanos;
        ReplicaEntry entry = image.byNumber(record.number());
        if (entry == null || !entry.replica().uid().equals(record.uid())) return;
        entry.cell().health(HeldVerdict.of(record, routerName, receiveNanos));
        settle(entry, receiveNanos);
    }

    /** True when nothing was heard of health-svc for 5 s: quarantine then ends without its probes. */
    public boolean healthSilent(long nowNanos) {
        return !healthHeard || nowNanos - healthNanos > HEALTH_SILENT_NANOS;
    }

    /** A replica told by a roster copy: it was there before, so it is no new one. */
    public void apply(RosterRecord roster) {
        image = new FleetDelta(image, clock, rows).add(roster, null).apply();
    }

    public void apply(InflightVector vector, long receiveNanos) {
        clock.set(receiveNanos);
        peers.apply(vector, image, receiveNanos);
    }

    /** Folds failure rates into the pools' base rates; to be called once a second. */
    public void foldFailureRates() {
        BaseRates.fold(image);
    }

    /**
     * Brings up to date what changes with time alone: fading peers, extrapolation, biases, expired verdicts. To be called
     * each 100 ms.
     */
    public void refresh(long nowNanos) {
        sweeping = false;
        while (refreshSlice(nowNanos)) {}
    }

    /**
     * The same for {@value #SLICE} replicas at a time, so that an event loop is not held up.
     *
     * @return true when the sweep is not over
     */
    public boolean refreshSlice(long nowNanos) {
        clock.set(nowNanos);
        if (!sweeping) beginSweep(nowNanos);
        ReplicaEntry[] entries = swept.inOrder();
        int end = Math.min(entries.length, sweptTo + SLICE);
        // Counted first: a replica that fails a sweep is passed by the next slice.
        while (sweptTo < end) refresh(entries[sweptTo++], nowNanos);
        if (sweptTo < entries.length) return true;
        swept.pools().values().forEach(PoolLoad::finish);
        for (Candidates each : swept.allCandidates()) each.rescale();
        sweeping = false;
        return false;
    }

    private void beginSweep(long nowNanos) {
        sweeping = true;
        swept = image;
        sweptTo = 0;
        routers = 1 + peers.known(nowNanos);
        peers.begin(image, nowNanos);
        image.pools().values().forEach(PoolLoad::begin);
    }

    private void refresh(ReplicaEntry entry, long nowNanos) {
        PoolLoad pool = swept.pools().get(entry.replica().pool());
        if (pool == null) return;
        pool.add(entry.cell(), nowNanos);
        settle(entry, pool, nowNanos);
    }

    /** What is added to a replica's own in-flight, as of now. */
    private void settle(ReplicaEntry entry, PoolLoad pool, long nowNanos) {
        ReplicaCell cell = entry.cell();
        peers.estimate(entry, pool.fairPart(cell.capacity()));
        cell.row().snapshot(pool.peersPerRequestMilli());
        String model = entry.replica().models().getFirst();
        LoadTerms terms = modelToLoadTerms.getOrDefault(model, LoadTerms.DEFAULT);
        Bias.apply(cell, pool, terms, slowStartNanos(model), routers, nowNanos);
        Weight.apply(cell, pool, terms, nowNanos);
        cell.changed();
    }

    /** The same outside of a sweep, for a replica that would be taken for idle until the next one. */
    private void settle(ReplicaEntry entry, long nowNanos) {
        PoolLoad pool = image.pools().get(entry.replica().pool());
        if (pool != null) settle(entry, pool, nowNanos);
    }

    /** A sample, or a renewed one. A replica that becomes a candidate by it gets no burst before the next sweep. */
    private void told(ReplicaEntry entry, ReplicaCell.Telemetry next, long nowNanos) {
        boolean was = entry.cell().candidate();
        if (!was) settle(entry, nowNanos);
        entry.cell().telemetry(next);
        if (!was && entry.cell().candidate()) settle(entry, nowNanos);
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
                        entry,
                        sample,
                        frame.header().incarnation(),
                        receiveNanos - gate.excessNanos(),
                        receiveNanos,
                        first);
        }
        if (admission == FrameGate.Admission.IN_ORDER)
            renewUnchanged(now, frame, receiveNanos - gate.excessNanos(), receiveNanos);
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

    private void applySample(
            ReplicaEntry entry, Sample sample, long incarnation, long sentAtNanos, long nowNanos, boolean atBestStale) {
        ReplicaCell cell = entry.cell();
        ReplicaCell.Telemetry before = cell.telemetry();
        long sampledAt = sentAtNanos - sample.ageMicros() * 1000;
        // Collectors may overlap: the youngest sample wins. Of one collector that is its later one, although the
        // times of its first records are too late by what was not yet known of their way.
        boolean younger = cell.toldBy() == incarnation || before.sampledAtNanos() - sampledAt <= 0;
        if (before.seen() && !younger && !before.held()) return;
        long interval = sample.intervalMillis() * 1_000_000L;
        cell.toldBy(incarnation);
        cell.heartbeat(sample.heartbeat(), sampledAt);
        cell.capacity(sample.capacityMilli());
        boolean fresh = !atBestStale && Freshness.of(nowNanos - sampledAt, interval) == Freshness.FRESH;
        told(
                entry,
                new ReplicaCell.Telemetry(
                        sample.running(),
                        sample.waiting(),
                        sample.kvUsedPpm(),
                        sampledAt,
                        interval,
                        true,
                        atBestStale,
                        before.everFresh() || fresh,
                        sample.sleeping()),
                nowNanos);
    }

    private void renewUnchanged(RosterImage image, TelemetryFrame frame, long sentAtNanos, long nowNanos) {
        long sampledAt = sentAtNanos - frame.unchangedAgeMicros() * 1000;
        for (int position = frame.sampledUnchanged().nextSetBit(0);
                position >= 0;
                position = frame.sampledUnchanged().nextSetBit(position + 1)) {
            ReplicaEntry entry = image.byNumber(Shards.number(frame.shard(), position));
            if (entry == null) continue;
            ReplicaCell.Telemetry t = entry.cell().telemetry();
            // Nothing to be renewed: its last sample was missed, or another collector told a younger one.
            if (!t.seen() || entry.cell().toldBy() != frame.header().incarnation()) continue;
            told(
                    entry,
                    new ReplicaCell.Telemetry(
                            t.running(),
                            t.waiting(),
                            t.kvUsedPpm(),
                            sampledAt,
                            t.intervalNanos(),
                            true,
                            false,
                            true,
                            t.sleeping()),
                    nowNanos);
        }
    }
}
