package dev.penstock.core.view;

import dev.penstock.core.ledger.SlotCell;
import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.quarantine.SilenceRule;
import dev.penstock.core.ramp.SlowStart;
import dev.penstock.model.Freshness;
import dev.penstock.model.Verdict;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one replica that outlive roster images. Own in-flight and quarantine are written by every event loop
 * (atomically); peers' counts and telemetry by the view's one writer; all are read by every event loop.
 */
public final class ReplicaCell {
    private static final AtomicReferenceFieldUpdater<ReplicaCell, Quarantine> QUARANTINE =
            AtomicReferenceFieldUpdater.newUpdater(ReplicaCell.class, Quarantine.class, "quarantine");

    private static final AtomicReferenceFieldUpdater<ReplicaCell, Seat> SEATS =
            AtomicReferenceFieldUpdater.newUpdater(ReplicaCell.class, Seat.class, "seats");

    private static final Exclusion[] EXCLUSIONS = Exclusion.values();

    private final HotRow row;
    /** Of the row: one object less to look up for each request. */
    private final long[] words;

    private final int at;
    private final CoarseClock clock;
    /** Its place among the candidates for its model, and for further models that other replicas serve too. */
    private volatile @Nullable Seat seats;

    private volatile Quarantine quarantine = Quarantine.CLEAR;
    private volatile @Nullable SlowStart slowStart;
    private volatile long serviceNanos;
    private volatile long firstByteNanos;
    /** In-flight that each peer published, by its place in {@link PeerCounts}; the view's writer's alone. */
    private int[] published = {};

    private volatile Telemetry telemetry = Telemetry.NONE;
    private volatile FailureOdds odds = FailureOdds.QUIET;
    private final FailureRate failureRate = new FailureRate();
    private final OpenStreams streams = new OpenStreams();
    private volatile HeldVerdict health = HeldVerdict.NONE;
    private final HalfOpenPermit permit = new HalfOpenPermit();
    private long heartbeat;
    private long toldBy;
    /** Since when nothing was in flight, the view's writer's alone; {@link Long#MIN_VALUE} = something is. */
    private long idleSinceNanos = Long.MIN_VALUE;

    private volatile double capacity;
    private volatile long heartbeatMovedNanos;

    /**
     * The last sample.
     *
     * @param sampledAtNanos on this process's monotonic clock, everything the sample spent on its way taken off
     * @param held at best STALE: a record before it is missing, or its transit time is not known yet
     * @param everFresh a replica is a candidate from its first FRESH sample on
     * @param sleeping its weights are not loaded: nothing is sent there
     */
    public record Telemetry(
            int running,
            int waiting,
            int kvUsedPpm,
            long sampledAtNanos,
            long intervalNanos,
            boolean seen,
            boolean held,
            boolean everFresh,
            boolean sleeping) {
        static final Telemetry NONE = new Telemetry(0, 0, -1, 0, 0, false, false, false, false);

        public Freshness freshness(long nowNanos) {
            if (!seen) return Freshness.MISSING;
            Freshness byAge = Freshness.of(nowNanos - sampledAtNanos, intervalNanos);
            return held && byAge == Freshness.FRESH ? Freshness.STALE : byAge;
        }

        Telemetry asHeld() {
            return new Telemetry(
                    running, waiting, kvUsedPpm, sampledAtNanos, intervalNanos, seen, true, everFresh, sleeping);
        }
    }

    /** Of a replica that is taken as established. */
    public ReplicaCell() {
        this(HotRow.alone(), new CoarseClock(), null);
    }

    /** @param slowStart null for one that is not new */
    ReplicaCell(HotRow row, CoarseClock clock, @Nullable SlowStart slowStart) {
        this.row = row;
        this.words = row.words;
        this.at = row.at;
        this.clock = clock;
        this.slowStart = slowStart;
    }

    /** It is indexed there, and tells of each change that may move it; indexes that are closed are told no more. */
    void join(Candidates next, int nextSlot) {
        while (true) {
            Seat before = seats;
            Seat after = Seat.of(next, nextSlot, null);
            for (Seat each = before; each != null; each = each.next()) {
                if (!each.candidates().closed()) after = Seat.of(each.candidates(), each.slot(), after);
            }
            if (SEATS.compareAndSet(this, before, after)) return;
        }
    }

    /** How its row says it stands: a place in {@link Exclusion}, or one beyond for no candidate. */
    public int inClass() {
        return HotRow.inClass(words, at);
    }

    /** How it stands is not what its row says: time has passed. */
    public void renew(long nowNanos) {
        if (nowNanos - clock.nanos() > 0) clock.set(nowNanos);
        changed();
    }

    /** How it stands may have changed: says so to readers and moves it in the indexes. */
    void changed() {
        int next = candidate() ? byHealth(clock.nanos()).ordinal() : HotRow.NO_CANDIDATE;
        row.inClass(next);
        touch();
    }

    private void touch() {
        Seat first = seats;
        if (first != null) first.touchAll();
    }

    public int own() {
        return HotRow.own(words, at);
    }

    /**
     * Takes a slot, before a request is sent; false when there is none. A true one is followed by exactly one {@link #release},
     * on whatever ending.
     */
    public boolean admit() {
        boolean admitted = HotRow.admit(words, at);
        touch();
        return admitted;
    }

    /** Where nobody limits slots: simulations. */
    public void acquire() {
        if (!admit()) throw new IllegalStateException("no slot is free, " + own() + " are used");
    }

    /** Returns whether a slot is to be given back to the ledger: its thread should be told. */
    public boolean release() {
        boolean recalled = HotRow.release(words, at);
        touch();
        return recalled;
    }

    /** Its slots, as the ledger moves them: who does calls {@link #slotsMoved} after. */
    public SlotCell slots() {
        return row.slots();
    }

    /** There may be a free slot where there was none, or none where there was one. */
    public void slotsMoved() {
        touch();
    }

    /** Own and peers' in-flight and the bias, in thousandths (peers fade by fractions): what replicas are compared by. */
    public long loadMilli() {
        return HotRow.loadMilli(own(), peersMilli(), biasMilli());
    }

    public int peersMilli() {
        return peersMilli(own());
    }

    /** Peers' in-flight in thousandths, as estimated now that this router has so many there. */
    public int peersMilli(int ownNow) {
        return HotRow.peersMilli(words, at, ownNow);
    }

    /** What is added for slow start, a ramp after an ejection, and telemetry that is not fresh, in thousandths. */
    public int biasMilli() {
        return HotRow.biasMilli(words, at);
    }

    /** Which of {@link Bias} that is made of. */
    public int biasCauses() {
        return HotRow.biasCauses(words, at);
    }

    /** What a request weighs here, see {@link HotRow#weight}. */
    public int weight() {
        return HotRow.weight(words, at);
    }

    /** As the collector last told it, in requests in flight; 0 = never. {@link PoolLoad#fairPart} makes it relative. */
    double capacity() {
        return capacity;
    }

    /** @param milli 0 = not learned, which changes nothing */
    void capacity(int milli) {
        if (milli > 0) capacity = milli / 1e3;
    }

    /** For how long nothing has been in flight, as of these looks. */
    long idleNanos(boolean idle, long nowNanos) {
        if (!idle) idleSinceNanos = Long.MIN_VALUE;
        else if (idleSinceNanos == Long.MIN_VALUE) idleSinceNanos = nowNanos;
        return idle ? nowNanos - idleSinceNanos : 0;
    }

    HotRow row() {
        return row;
    }

    /** A request took this long here: the smoothed service time, of about the last sixteen. */
    public void served(long latencyNanos) {
        serviceNanos = smoothed(serviceNanos, latencyNanos);
    }

    /** The first byte of an answer came after that long. */
    public void firstByte(long nanos) {
        firstByteNanos = smoothed(firstByteNanos, nanos);
        SlowStart start = slowStart;
        if (start != null) start.answered();
    }

    private static long smoothed(long before, long next) {
        return before == 0 ? next : before + (next - before) / 16;
    }

    /** 0 until known. */
    long smoothedServiceNanos() {
        return serviceNanos;
    }

    /** 0 until known. */
    long smoothedFirstByteNanos() {
        return firstByteNanos;
    }

    /** Null for one that is not new. */
    @Nullable
    SlowStart slowStart() {
        return slowStart;
    }

    public boolean starting() {
        return slowStart != null;
    }

    void established() {
        slowStart = null;
    }

    int published(int peer) {
        return peer < published.length ? published[peer] : 0;
    }

    void published(int peer, int count) {
        if (peer >= published.length) {
            if (count == 0) return;
            published = Arrays.copyOf(published, peer + 1);
        }
        published[peer] = count;
    }

    /** True when a peer's last vector has requests here. */
    boolean peersToldAny() {
        for (int count : published) if (count > 0) return true;
        return false;
    }

    public Telemetry telemetry() {
        return telemetry;
    }

    void telemetry(Telemetry next) {
        boolean was = candidate();
        telemetry = next;
        row.sample(next);
        if (candidate() != was) changed();
    }

    /** Incarnation of the collector that told the last sample. The view's writer's own. */
    long toldBy() {
        return toldBy;
    }

    void toldBy(long incarnation) {
        toldBy = incarnation;
    }

    /** A candidate from its first FRESH sample on; STALE and MISSING never exclude, sleeping does. */
    public boolean candidate() {
        Telemetry t = telemetry;
        return t.everFresh() && !t.sleeping();
    }

    public HeldVerdict health() {
        return health;
    }

    void health(HeldVerdict next) {
        health = next;
        changed();
    }

    /** How far health rules and slots exclude it: the higher, the worse. */
    public Exclusion exclusion(long nowNanos) {
        return EXCLUSIONS[HotRow.withOwn(words, at, byHealth(nowNanos).ordinal())];
    }

    /** The same without what follows from its own in-flight: the ramp, and slots. */
    Exclusion byHealth(long nowNanos) {
        HeldVerdict held = health;
        Exclusion byVerdict =
                switch (held.at(nowNanos)) {
                    case Verdict.Unknown u -> Exclusion.NONE;
                    case Verdict.Healthy h -> Exclusion.NONE;
                    case Verdict.Suspect s -> Exclusion.NONE;
                    case Verdict.Ramp r -> Exclusion.NONE;
                    case Verdict.HalfOpen h ->
                        permit.free(held.permitKey(), nowNanos) ? Exclusion.NONE : Exclusion.SOFT;
                    case Verdict.Ejected e -> e.severity() == Verdict.Severity.HARD ? Exclusion.HARD : Exclusion.SOFT;
                };
        if (byVerdict == Exclusion.HARD) return byVerdict;
        return quarantine.admits() ? byVerdict : Exclusion.QUARANTINED;
    }

    /** Why a replica is excluded, mildest first. */
    public enum Exclusion {
        NONE,
        /** New, and this router has there what it should for now. */
        RAMP,
        /** Nothing else is wrong with it, and all slots that this router has there are used: never chosen, worth waiting for. */
        NO_SLOT,
        /** health-svc: some requests fail, or on its way back without a permit for this router. */
        SOFT,
        /** This router's own quarantine. */
        QUARANTINED,
        /** health-svc: nothing works. */
        HARD,
        /** Excluded for another reason, and without a free slot: never chosen, not even in panic. */
        EXCLUDED_NO_SLOT
    }

    private boolean takePermit(HeldVerdict held, long nowNanos) {
        if (!permit.take(held.permitKey(), nowNanos)) return false;
        changed();
        return true;
    }

    /** A deep probe has passed since the shut, as often as it asks for. */
    public boolean probePassedSince(Quarantine.Shut shut) {
        HeldVerdict held = health;
        return held.probePassed()
                && held.probePassNanos() - shut.sinceNanos() > 0
                && held.probePassesInRow() >= shut.passesNeeded();
    }

    /** Makes it a candidate without a sample: its endpoint answered for itself while the state plane is away. */
    public void vouchFor() {
        Telemetry t = telemetry;
        telemetry(new Telemetry(
                t.running(),
                t.waiting(),
                t.kvUsedPpm(),
                t.sampledAtNanos(),
                t.intervalNanos(),
                t.seen(),
                t.held(),
                true,
                t.sleeping()));
    }

    public Quarantine quarantine() {
        return quarantine;
    }

    /** True when this caller may send: no quarantine and no half-open verdict, or it took the one trial or permit. */
    public boolean enter(long nowNanos) {
        HeldVerdict held = health;
        if (held.at(nowNanos) instanceof Verdict.HalfOpen && !takePermit(held, nowNanos)) return false;
        Quarantine state = quarantine;
        return switch (state) {
            case Quarantine.Clear clear -> true;
            case Quarantine.Shut shut -> false;
            case Quarantine.Trial trial -> !trial.taken() && takeTrial(trial, nowNanos);
        };
    }

    private boolean takeTrial(Quarantine.Trial trial, long nowNanos) {
        if (!swapped(trial, trial.take())) return false;
        streams.listenAnew(nowNanos);
        return true;
    }

    /**
     * Returns true when this failure shut the replica out.
     *
     * @param weight of the failure in the failure sum; 0 for a connect
     */
    public boolean failed(double weight, long nowNanos, RandomGenerator random) {
        if (weight > 0) failureRate.failed();
        delayStart(nowNanos);
        double step = weight * odds.failureStep();
        while (true) {
            Quarantine before = quarantine;
            Quarantine after = before.failed(step, nowNanos, random);
            if (swapped(before, after)) return shuts(before, after);
        }
    }

    /** A connect was refused; returns true when that shut the replica out. */
    public boolean refused(long nowNanos, RandomGenerator random) {
        delayStart(nowNanos);
        while (true) {
            Quarantine before = quarantine;
            Quarantine after = before.refused(nowNanos, random);
            if (swapped(before, after)) return shuts(before, after);
        }
    }

    private void delayStart(long nowNanos) {
        SlowStart start = slowStart;
        if (start != null) start.failed(nowNanos);
    }

    /** Returns true when this success ended a quarantine. */
    public boolean succeeded() {
        failureRate.succeeded();
        while (true) {
            Quarantine before = quarantine;
            if (swapped(before, before.succeeded(odds.successStep()))) {
                return before instanceof Quarantine.Trial;
            }
        }
    }

    /** Shuts the replica out if its open streams are silent; returns true when that happened. The view's writer calls it. */
    public boolean shutIfSilent(long nowNanos, RandomGenerator random) {
        Telemetry t = telemetry;
        boolean fresh = t.freshness(nowNanos) == Freshness.FRESH;
        if (!SilenceRule.silent(
                streams.count(),
                streams.promptTokens(),
                streams.lastByteNanos(),
                fresh,
                heartbeatMovedNanos,
                nowNanos)) {
            return false;
        }
        Quarantine before = quarantine;
        Quarantine after = before.silent(nowNanos, random);
        return swapped(before, after) && shuts(before, after);
    }

    private boolean swapped(Quarantine before, Quarantine after) {
        if (before == after) return true;
        if (!QUARANTINE.compareAndSet(this, before, after)) return false;
        if (before.admits() != after.admits()) changed();
        return true;
    }

    private static boolean shuts(Quarantine before, Quarantine after) {
        return after instanceof Quarantine.Shut && !(before instanceof Quarantine.Shut);
    }

    /** The streams this router has open there. */
    public OpenStreams streams() {
        return streams;
    }

    FailureRate failureRate() {
        return failureRate;
    }

    void odds(FailureOdds next) {
        odds = next;
    }

    /** A sample told this heartbeat: remembers when it last moved. */
    void heartbeat(long value, long sampledAtNanos) {
        if (value == heartbeat) return;
        heartbeat = value;
        heartbeatMovedNanos = sampledAtNanos;
    }

    /**
     * Whether the engine is known to have had time to notice, since then, that a client left: its heartbeat moved, or a sample
     * showed it idle.
     */
    public boolean stoppedSince(long nanos) {
        if (heartbeatMovedNanos - nanos > 0) return true;
        Telemetry t = telemetry;
        return t.seen() && t.sampledAtNanos() - nanos > 0 && t.running() + t.waiting() == 0;
    }

    public void endedNeutrally() {
        while (true) {
            Quarantine before = quarantine;
            Quarantine after = before.endedNeutrally();
            if (swapped(before, after)) return;
        }
    }

    /** The result of the router's own connect, asked for when {@link Quarantine.Shut#connectDue}. */
    public void connectResult(boolean passed, long nowNanos, RandomGenerator random) {
        if (quarantine instanceof Quarantine.Shut shut) {
            swapped(shut, passed ? shut.connected() : shut.connectFailed(nowNanos, random));
        }
    }
}
