package dev.penstock.core.view;

import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.quarantine.SilenceRule;
import dev.penstock.model.Freshness;
import dev.penstock.model.Verdict;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.random.RandomGenerator;

/**
 * The numbers of one replica that outlive roster images. Own in-flight and quarantine are written by every event loop
 * (atomically); peers' counts and telemetry by the view's one writer; all are read by every event loop.
 */
public final class ReplicaCell {
    private static final AtomicReferenceFieldUpdater<ReplicaCell, Quarantine> QUARANTINE =
            AtomicReferenceFieldUpdater.newUpdater(ReplicaCell.class, Quarantine.class, "quarantine");

    private static final long UNKNOWN_SERVICE_NANOS = 1_000_000_000L;
    private static final long LEAST_SERVICE_NANOS = 50_000_000L;
    private static final long PERMIT_AGAIN_NANOS = 5_000_000_000L;

    private final AtomicInteger own = new AtomicInteger();
    private volatile Quarantine quarantine = Quarantine.CLEAR;
    private volatile int peersMilli;
    private volatile int ownAtSnapshot;
    private volatile int extrapolationMilli;
    private volatile long serviceNanos;
    private volatile Telemetry telemetry = Telemetry.NONE;
    private volatile FailureOdds odds = FailureOdds.QUIET;
    private final FailureRate failureRate = new FailureRate();
    private final OpenStreams streams = new OpenStreams();
    private volatile HeldVerdict health = HeldVerdict.NONE;
    private final AtomicLong usedPermit = new AtomicLong();
    private volatile long usedPermitNanos;
    private long heartbeat;
    private long toldBy;
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

    public int own() {
        return own.get();
    }

    /** Called before a request is sent; exactly one {@link #release} follows on whatever ending. */
    public void acquire() {
        own.incrementAndGet();
    }

    public void release() {
        own.decrementAndGet();
    }

    /**
     * Own plus peers' in-flight, in thousandths (peers fade by fractions); within a ramp as if it had that share of its
     * capacity: (load + 1) / share - 1.
     */
    public long loadMilli(long nowNanos) {
        int ownNow = own.get();
        return loadMilli(ownNow, peersMilli(ownNow), nowNanos);
    }

    /** The same of counts that the caller has read. */
    public long loadMilli(int own, int peersMilli, long nowNanos) {
        long load = own * 1000L + peersMilli;
        double share = health.share(nowNanos);
        return share == 1 ? load : (long) ((load + 1000) / share) - 1000;
    }

    public int peersMilli() {
        return peersMilli(own.get());
    }

    /**
     * Peers' in-flight in thousandths: as estimated from their vectors, and for each request this router has sent there
     * since, half a request of each peer's, which presumably sees the same replica as idle.
     */
    public int peersMilli(int ownNow) {
        return peersMilli + Math.max(0, ownNow - ownAtSnapshot) * extrapolationMilli;
    }

    /** Called each 100 ms: what is sent from here on, peers may have sent too. */
    void extrapolateFromHere(int alivePeers) {
        ownAtSnapshot = own.get();
        extrapolationMilli = 500 * alivePeers;
    }

    /** A request took this long here: the smoothed service time, of about the last sixteen. */
    public void served(long latencyNanos) {
        long before = serviceNanos;
        serviceNanos = before == 0 ? latencyNanos : before + (latencyNanos - before) / 16;
    }

    /** Smoothed; 1 s until known, and never below 50 ms. */
    long serviceNanos() {
        long known = serviceNanos;
        return known == 0 ? UNKNOWN_SERVICE_NANOS : Math.max(LEAST_SERVICE_NANOS, known);
    }

    void estimatePeers(int value) {
        peersMilli = value;
    }

    public Telemetry telemetry() {
        return telemetry;
    }

    void telemetry(Telemetry next) {
        telemetry = next;
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
    }

    /** How far health rules exclude it: the higher, the worse. */
    public Exclusion exclusion(long nowNanos) {
        HeldVerdict held = health;
        Exclusion byVerdict =
                switch (held.at(nowNanos)) {
                    case Verdict.Unknown u -> Exclusion.NONE;
                    case Verdict.Healthy h -> Exclusion.NONE;
                    case Verdict.Suspect s -> Exclusion.NONE;
                    case Verdict.Ramp r -> Exclusion.NONE;
                    case Verdict.HalfOpen h -> permitFree(held, nowNanos) ? Exclusion.NONE : Exclusion.SOFT;
                    case Verdict.Ejected e -> e.severity() == Verdict.Severity.HARD ? Exclusion.HARD : Exclusion.SOFT;
                };
        if (byVerdict == Exclusion.HARD || quarantine.admits()) return byVerdict;
        return Exclusion.QUARANTINED;
    }

    /** Why health rules exclude a replica, mildest first. */
    public enum Exclusion {
        NONE,
        /** health-svc: some requests fail, or on its way back without a permit for this router. */
        SOFT,
        /** This router's own quarantine. */
        QUARANTINED,
        /** health-svc: nothing works. */
        HARD
    }

    /** A permit that ended without telling anything may be used again after a while. */
    private boolean permitFree(HeldVerdict held, long nowNanos) {
        return held.permitKey() != 0
                && (usedPermit.get() != held.permitKey() || nowNanos - usedPermitNanos > PERMIT_AGAIN_NANOS);
    }

    private boolean takePermit(HeldVerdict held, long nowNanos) {
        long used = usedPermit.get();
        boolean again = used == held.permitKey();
        if (again && nowNanos - usedPermitNanos <= PERMIT_AGAIN_NANOS) return false;
        usedPermitNanos = nowNanos;
        return again || usedPermit.compareAndSet(used, held.permitKey());
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
        telemetry = new Telemetry(
                t.running(),
                t.waiting(),
                t.kvUsedPpm(),
                t.sampledAtNanos(),
                t.intervalNanos(),
                t.seen(),
                t.held(),
                true,
                t.sleeping());
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
        if (!QUARANTINE.compareAndSet(this, trial, trial.take())) return false;
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
        double step = weight * odds.failureStep();
        while (true) {
            Quarantine before = quarantine;
            Quarantine after = before.failed(step, nowNanos, random);
            if (swapped(before, after)) return shuts(before, after);
        }
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
        return before == after || QUARANTINE.compareAndSet(this, before, after);
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

    public void endedNeutrally() {
        while (true) {
            Quarantine before = quarantine;
            Quarantine after = before.endedNeutrally();
            if (before == after || QUARANTINE.compareAndSet(this, before, after)) return;
        }
    }

    /** The result of the router's own connect, asked for when {@link Quarantine.Shut#connectDue}. */
    public void connectResult(boolean passed, long nowNanos, RandomGenerator random) {
        if (quarantine instanceof Quarantine.Shut shut) {
            QUARANTINE.compareAndSet(this, shut, passed ? shut.connected() : shut.connectFailed(nowNanos, random));
        }
    }
}
